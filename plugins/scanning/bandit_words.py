"""Why bandit's findings matter and what to do about them, which bandit itself leaves to its documentation."""

# ruff: noqa: E501 -- one test a line reads as the table that it is

from __future__ import annotations

from treadle.plugins.scanning.table import RULES

# Where one of Treadle's own rules is on the same subject, its words hold.
_SAME = {
    "B102": "exec-dynamic", "B307": "exec-dynamic", "B602": "shell", "B604": "shell", "B605": "shell", "B609": "shell",
    "B603": "process-fixed", "B606": "process-fixed", "B607": "process-fixed", "B301": "unsafe-load", "B302": "unsafe-load",
    "B506": "unsafe-load", "B614": "unsafe-load", "B615": "unsafe-load", "B310": "network", "B312": "network", "B321": "network",
    "B104": "network", "B612": "network", "B202": "archive", "B105": "password", "B106": "password", "B107": "password",
    "B613": "bidi",
}  # fmt: skip

_OWN = {
    "B103": ("others on the machine could read or change the file", "give it no more rights than it needs, 0o600 say"),
    "B108": ("the name can be guessed, and somebody else may have put a file there", "use tempfile"),
    "B110": ("an error that nobody hears of hides what went wrong", "catch the error that is expected, and log it"),
    "B112": ("an error that nobody hears of hides what went wrong", "catch the error that is expected, and log it"),
    "B113": ("the call may wait for ever", "give it a timeout"),
    "B201": ("Flask's debugger runs code for whoever reaches it", "leave debug off, or take it from a setting"),
    "B303": ("this hash can be forged", "use hashlib.sha256, or usedforsecurity=False where nothing depends on it"),
    "B324": ("this hash can be forged", "use hashlib.sha256, or usedforsecurity=False where nothing depends on it"),
    "B304": ("this cipher can be broken", "use AES-GCM or ChaCha20-Poly1305 of the cryptography package"),
    "B305": ("this mode of the cipher shows patterns", "use an authenticated mode, GCM say"),
    "B306": ("somebody else may make the file first", "use tempfile.NamedTemporaryFile or mkstemp"),
    "B308": ("text of others becomes part of the page", "let the template escape it"),
    "B311": ("these numbers can be predicted", "use the secrets module where something depends on that"),
    "B323": ("anybody on the way can read and change what is sent", "leave the certificate checked"),
    "B501": ("anybody on the way can read and change what is sent", "leave the certificate checked"),
    "B502": ("this version of TLS can be broken", "use ssl.create_default_context()"),
    "B503": ("this version of TLS can be broken", "use ssl.create_default_context()"),
    "B504": ("an old version of TLS may be taken", "use ssl.create_default_context()"),
    "B505": ("keys this short can be broken", "use RSA with 2048 bits or more, or an elliptic curve"),
    "B507": ("another machine can pose as the one that is meant", "load the known hosts, and reject others"),
    "B508": ("what is sent can be read", "use SNMPv3"),
    "B509": ("what is sent can be read", "use SNMPv3 with authentication and privacy"),
    "B601": ("a shell elsewhere interprets what is put into it", "quote it with shlex.quote"),
    "B608": ("text that is put into a query can change what it does", "pass values as parameters of the query"),
    "B610": ("text that is put into a query can change what it does", "pass values as parameters of the query"),
    "B611": ("text that is put into a query can change what it does", "pass values as parameters of the query"),
    "B701": ("text of others becomes part of the page", "make the environment with autoescape=True"),
    "B702": ("text of others becomes part of the page", "use default_filters=['h']"),
    "B703": ("text of others becomes part of the page", "let the template escape it"),
    "B704": ("text of others becomes part of the page", "escape it with markupsafe.escape"),
}  # fmt: skip
_XML = ("a crafted file takes all memory (entities that expand)", "use defusedxml for files of others")


def words_on(test: str) -> tuple[str, str]:
    """Why a finding of this test matters, and what to do; both empty for a test that is not known here."""
    if test in _SAME:
        rule = RULES[_SAME[test]]
        return rule.why, rule.advice
    if test.startswith("B31") and test not in ("B310", "B311", "B312"):
        return _XML
    return _OWN.get(test, ("", ""))
