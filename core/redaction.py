"""Taking secrets out of values before they are written down.

Four ways to know one: it is the key of a service that this process has looked up (`core.keys`), the name it stands
under (`api_key`, `Authorization`), the value of an environment variable whose name says so (`*_KEY`, `*_TOKEN`,
`*SECRET*`, `*PASSWORD*`), and its own shape (`sk-...`, `ghp_...`, `AKIA...`).
"""

from __future__ import annotations

import functools
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from treadle.core import keys
from treadle.core.models.messages import Message, ModelReply, ModelRequest, ToolCall, ToolResult, ToolSpec

REDACTED = "[redacted]"
TAKEN_OUT = "[key taken out]"
"""What stands in the person's own words in place of a secret, from when they come in."""

_SECRET_VARIABLE = re.compile(r"_KEY$|_TOKEN$|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL", re.IGNORECASE)

# Values this short stand in any text by chance; they are redacted only where they are the whole value.
_SHORTEST_INSIDE = 5
_SHORTEST_KEY = 12
"""Shorter ones, as `dummy`, stand where a server of one's own wants any; a model may say such a word in code, and a
person in a task."""
_FOLDED = 1024
"""Blanks by which a secret of several words may have grown where its lines were broken."""
_TOO_COMMON = frozenset({"", "0", "1", "true", "false", "yes", "no", "on", "off", "none", "null"})

# Not a bare "key": an idempotency key is no secret. "tokens" and "token_count" are numbers of a budget.
_SECRET_WORDS = (
    r"(?:api|access|private|signing|ssh)[-_ ]?key|token(?!s|[-_]?count)|secret|passw(?:or)?d|passphrase"
    r"|authorization|credentials?|cookie"
)
_SECRET_NAME = re.compile(_SECRET_WORDS, re.IGNORECASE)
_ASSIGNED = re.compile(
    # What is repeated is bounded, because a name may begin anywhere in a long word.
    rf"""
    (?P<name> (?:{_SECRET_WORDS}) [\w-]{{0,40}} ["']? \s{{0,4}} [=:] \s{{0,4}} )
    (?: (?:bearer|basic) \s+ )?
    (?: "[^"]+" | '[^']+' | [^\s"',;]+ )
    """,
    re.IGNORECASE | re.VERBOSE,
)
_SHAPES = re.compile(
    r"""
      (?: (?<![A-Za-z0-9]) | (?<=[0-9;\[]m) ) (?:  # at the beginning of a word, or after a colour (ESC [ 31 m)
        sk- (?! (?:[a-z]{1,15}-){1,4} [a-z]{1,15} (?![\w-]) ) [A-Za-z0-9_-]{12,}  # Anthropic, OpenAI, others
      | [rs]k_(?:live|test)_[A-Za-z0-9]{16,}      # Stripe
      | (?:gsk_|xai-)[A-Za-z0-9]{20,}             # Groq, xAI
      | gh[oprsu]_[A-Za-z0-9]{16,} | github_pat_\w{16,}
      | glpat-[\w-]{16,}
      | (?:AKIA|ASIA)[A-Z0-9]{16}                 # AWS
      | AIza[\w-]{30,}                            # Google
      | xox[abeoprs]-[\w-]{10,}                   # Slack
      | hf_[A-Za-z0-9]{20,} | npm_[A-Za-z0-9]{20,} | pypi-[\w-]{20,}
      | (?: (?<![\w-]) eyJ[\w-]{10,}+ | eyJ[\w-]{10,500}+ )  # a JSON web token: of any length at the beginning of a
        \.[\w-]{10,}+\.[\w-]{6,}                             # word, bounded where one may begin all along a long word
      )
    | (?<=://) (?P<user>[^\s/:@]+) : (?!         # user:password in a URL, and nothing that stands in for one
        (?: (?P=user) | (?i:pass(?:wd|word)?|pwd?|x+) | \*+ | \.{3}
          | <[^\s<>@]+> | \$?\{[^\s{}@]*\} | \$[A-Z][A-Z0-9_]* ) @
      ) [^\s/@]+ (?=@)
    | -----BEGIN[ A-Z]*PRIVATE[ ]KEY----- (?:
        (?: (?! -----BEGIN ) . )*? -----END[ A-Z]*PRIVATE[ ]KEY-----
        # Cut off, and not only named: behind what indents, quotes or numbers a line its letters begin.
      | (?= (?: \\[nrt] | [^A-Za-z0-9+/] | [0-9+]{1,6} (?![A-Za-z0-9+/]) ){0,99} (?: [A-Za-z0-9+/=]{16,} | Proc-Type ) )
        .* \Z
      )
    """,
    re.VERBOSE | re.DOTALL,
)
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_ESCAPED_HALF = re.compile(r"\\u[dD][89a-fA-F]")
_HEADER_KEY = re.compile(
    r"""
    ( \bbearer (?:[ ]token)? [\s:=]+ | \bauthorization["']?\s?[:=]\s?["']?basic\s+ | \bx-api-key["']?\s?[:=]\s?["']? )
    (?! [A-Za-z]+\d{0,2} (?: [_/.-] (?:[A-Za-z]+\d{0,2} | \d{1,2}) )* (?! [\w~+/=-] | \.\w ) )  # a name, or a path
    [\w.~+/=-]{16,}
    """,
    re.IGNORECASE | re.VERBOSE,
)
"""In a person's words, where `bearer authentication` stands as well."""
_BEARER = re.compile(r"(\b(?:bearer|basic)\s+)[\w.~+/=-]{8,}", re.IGNORECASE)


class _Values:
    """Secrets that are known word for word. `longest` is the length of the longest."""

    def __init__(self, values: Iterable[str]) -> None:
        self._whole = frozenset(value for value in values if value.lower() not in _TOO_COMMON)
        self.longest = max(map(len, self._whole), default=0)
        # The longest first: a secret may be the beginning of another one.
        inside = sorted((v for v in self._whole if len(v) >= _SHORTEST_INSIDE), key=len, reverse=True)
        self._inside = re.compile("|".join(map(_however_folded, inside))) if inside else None
        self._of_words = [words for words in map(str.split, inside) if len(words) > 1]

    def __contains__(self, text: str) -> bool:
        return text in self._whole

    def begun(self, text: str) -> int:
        """Where at the end of the text one of several words has begun that is not over there; the length of the text
        when none has."""
        start = max(0, len(text) - 2 * self.longest - _FOLDED)
        found = len(text)
        for words in self._of_words:
            at = text.find(words[0], start, found)
            while at >= 0:
                if _goes_on(text, at, words):
                    found = at
                    break
                at = text.find(words[0], at + 1, found)
        return found

    def taken_out(self, text: str, put: Callable[[re.Match[str]], str] = lambda found: REDACTED) -> str:
        return text if self._inside is None else self._inside.sub(put, text)


class Redactor:
    """Knows the secrets of one environment, and the keys that this process knows. May be used from several threads."""

    def __init__(self, env: Mapping[str, str]) -> None:
        self._own = frozenset(value for name, value in env.items() if _SECRET_VARIABLE.search(name))
        self._made = (frozenset[str](), _Values(self._own))

    @property
    def _values(self) -> _Values:
        known = keys.KNOWN.values
        before, values = self._made
        if known is not before:
            values = _Values(self._own | known)
            self._made = (known, values)
        return values

    @property
    def longest(self) -> int:
        """The length of the longest secret that is known word for word."""
        return self._values.longest

    def spoken(self, text: str) -> str:
        """What the person says, without secrets. A short word stays, even where a variable has it for a password: who
        writes `postgres` in a task means the database."""
        values = _Values(value for value in self._own | keys.KNOWN.values if not _is_short_word(value))
        text = _SHAPES.sub(TAKEN_OUT, values.taken_out(text, lambda found: TAKEN_OUT))
        return _HEADER_KEY.sub(rf"\1{TAKEN_OUT}", text)

    def text(self, text: str) -> str:
        """The text without secrets."""
        values = self._values
        if text in values:
            return REDACTED
        text = values.taken_out(text)
        text = _SHAPES.sub(REDACTED, text)
        text = _BEARER.sub(rf"\1{REDACTED}", text)
        return _ASSIGNED.sub(rf"\g<name>{REDACTED}", text)

    def known(self, text: str) -> str:
        """The text without the secrets of this environment and what has the shape of one. What merely stands under a
        secret's name stays: in source code that is a name like any other."""
        return _SHAPES.sub(REDACTED, self._values.taken_out(text))

    def known_by_line(self, text: str) -> str:
        """As `known`, with as many lines as before: for texts of which parts are shown, with the numbers of lines."""
        return _SHAPES.sub(_each_line, self._values.taken_out(text, _each_line))

    def text_by_line(self, text: str) -> str:
        """As `text`, with as many lines as before."""
        text = _BEARER.sub(rf"\1{REDACTED}", self.known_by_line(text))
        return _ASSIGNED.sub(lambda found: found["name"] + _each_line(found, len(found["name"])), text)

    def without_begun(self, text: str) -> str:
        """The text up to where a secret has begun whose rest is still to come, for a text that ends with a line's end:
        only one that is known word for word and has several words can go on after that."""
        return text[: self._values.begun(text)]

    def value(self, value: object, name: str = "") -> object:
        """The value as plain data without secrets, in any depth; `name` is what it stands under. What is no plain
        value becomes its `repr`, then redacted."""
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(item, inner_name(name, str(key))) for key, item in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.value(item, name) for item in value]
        if _SECRET_NAME.search(name):
            return REDACTED
        if isinstance(value, int | float):
            return REDACTED if str(value) in self._values else value
        if isinstance(value, bytes | bytearray):
            return self.text(value.decode("utf-8", "backslashreplace"))
        return self.text(value if isinstance(value, str) else repr(value))


def _is_short_word(value: str) -> bool:
    return value.replace("-", "").isalpha() and len(value) < _SHORTEST_KEY


def _each_line(found: re.Match[str], start: int = 0) -> str:
    return "\n".join([REDACTED] * (found[0].count("\n", start) + 1))


def _goes_on(text: str, at: int, words: list[str]) -> bool:
    """Whether the text ends within these words, which begin at that place in it."""
    for word in words[:-1]:
        if not text.startswith(word, at):
            return False
        rest = text[at + len(word) :]
        after = rest.lstrip()
        if not after:
            return True
        if after == rest:
            return False
        at = len(text) - len(after)
    return False


def has_secret_shape(text: str) -> bool:
    """Whether something in the text has the shape of a key, or is a password in a URL."""
    return _SHAPES.search(text) is not None


@functools.cache
def _own() -> Redactor:
    return Redactor(os.environ)


def shown_by_line(text: str) -> str:
    """The text without this process's secrets, in as many lines. To be called on a whole text before a part of it is
    shown: a part of a key has no shape by which it could be known."""
    return _own().known_by_line(text)


def shown(text: str) -> str:
    """The text without this process's secrets, nor the keys of any service."""
    keys.KNOWN.read_all()
    return _own().known(text)


def _however_folded(secret: str) -> str:
    """A pattern for the secret in a text whose lines may have been joined or broken."""
    return r"\s+".join(map(re.escape, re.split(r"\s+", secret))) if secret.strip() else re.escape(secret)


def inner_name(name: str, key: str) -> str:
    """The name that counts for what stands under `key` in what stands under `name`: what lies below a secret name is
    secret whatever its own name is."""
    return name if _SECRET_NAME.search(name) else key


def without_secrets(request: ModelRequest, redactor: Redactor) -> ModelRequest:
    """The request without what must not reach any service: no key of any, wherever it is kept, and no half of a
    surrogate pair, which no service could read."""
    keys.KNOWN.read_all()

    def text(said: str) -> str:
        return valid_text(redactor.known(said))

    def call(made: ToolCall) -> ToolCall:
        arguments = _valid_json(text(made.arguments))
        return msgspec.structs.replace(made, id=valid_text(made.id), name=valid_text(made.name), arguments=arguments)

    def result(came: ToolResult) -> ToolResult:
        return msgspec.structs.replace(came, call=valid_text(came.call), text=text(came.text))

    def clean(message: Message) -> Message:
        return msgspec.structs.replace(
            message,
            text=text(message.text),
            calls=tuple(map(call, message.calls)),
            results=tuple(map(result, message.results)),
            state=_valid_json(valid_text(message.state)),
        )

    def spec(tool: ToolSpec) -> ToolSpec:
        said = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
        valid: dict[str, Any] = _valid(said)
        return tool if valid == said else msgspec.structs.replace(tool, **valid)

    return msgspec.structs.replace(
        request,
        system=text(request.system),
        without_tools=text(request.without_tools),
        messages=tuple(map(clean, request.messages)),
        tools=tuple(map(spec, request.tools)),
    )


def without_keys(reply: ModelReply) -> ModelReply:
    """The reply without the keys that this process knows, which a service may say back to whoever has sent one: it goes
    into the log, into lessons, and to other services. All else stays as the model wrote it."""
    keys.KNOWN.read_all()
    known = _Values(key for key in keys.KNOWN.values if len(key) >= _SHORTEST_KEY)

    def call(made: ToolCall) -> ToolCall:
        names = {name: known.taken_out(getattr(made, name)) for name in ("id", "name", "arguments")}
        return msgspec.structs.replace(made, **names)

    said = {name: known.taken_out(getattr(reply, name)) for name in ("text", "thinking", "model", "state")}
    return msgspec.structs.replace(reply, **said, calls=tuple(map(call, reply.calls)))


def valid_text(text: str) -> str:
    """The text with U+FFFD for each half of a surrogate pair: as UTF-8 can hold it."""
    return text if text.isascii() else _HALF_PAIR.sub("\ufffd", text)


def _valid(value: Any) -> Any:
    """The same of all texts in a value of JSON."""
    if isinstance(value, str):
        return valid_text(value)
    if isinstance(value, Mapping):
        return {_valid(key): _valid(item) for key, item in value.items()}
    return [_valid(item) for item in value] if isinstance(value, list | tuple) else value


def _valid_json(text: str) -> str:
    """The same of what JSON text spells out as an escape: whoever reads it has the half pair itself."""
    if not _ESCAPED_HALF.search(text):
        return text
    try:
        said = json.loads(text)
        valid = _valid(said)
        return text if valid == said else json.dumps(valid)
    except (ValueError, RecursionError):
        return text  # no JSON, which nobody reads
