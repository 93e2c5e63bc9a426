"""The words by which a task says that something is not to stay, in a few languages. In others a person is asked once
more."""

from __future__ import annotations

import re

_USED = r"(?:us(?:ed|es)|need(?:ed|s)|call(?:ed|s)|necessary|required)\b"
_DELETES = (
    r"(?<!\ba )(?<!\ban )(?<!\bthe )(?<!\badd )(?<!\bmethod )(?<!\bfunction )(?<!\bcommand )"
    r"\b(?:(?:remov|delet|eliminat)(?!es\b|ers?\b|able\b)|drop(?!down|s\b)|strip(?!e|s\b)|discard(?!s\b)|prun(?!es\b)"
    r"|purg(?!es\b)|ditch(?!es\b)|scrap(?!e|ing|s\b)|throw(?:ing)? (?:away|out)|kill\b|retire\b|get(?:ting)? rid)"
    r"|\b(?:(?:can|may|should|must|has to) go\b(?! \w)|no longer need\b|unused|dead\b|obsolete|unneeded|unnecessary"
    r"|superseded"
    rf"|no longer (?:(?:\w+ )?(?:{_USED}|supported\b)|exist)"
    rf"|(?:not|nobody|no one|never) (?:\w+ )?{_USED}"
    r"|entfern|lösch|supprim|enlev|elimin(?!at)|borr(?!ow)|quit[aá])"
    rf"|n't (?:\w+ )?{_USED}|删除|移除|去掉"
)
_BECOMES_ANOTHER = (
    r"\b(?:(?:renam|replac|merg|inlin|rewrit|consolidat|translat|rephras|combin|collaps)(?!es\b|ers?\b|able\b)"
    r"|convert(?!s\b|er)|deprecat(?!es\b|ion)|clean(?!er|s\b)|unif(?!orm|ies\b)|reword(?!s\b)|reformat(?!s\b)"
    r"|shorten(?!s\b)|dedup|(?:be|is|are) (?:called|named|private|public)|make\w* \S+ (?:private|public)"
    r"|(?:turn|split|break|fold|make)\b.{1,80}\binto\b|migrat(?!es\b)|switch\w* from"
    r"|ersetz|umbenenn|benenne|renomm|remplac|renombr|reemplaz)|\w *(?:→|[-=]>) *\w|重命名|改名|替换|重写|合并"
)
"""What is moved is there afterwards: it needs no word. Who says what something `removes` tells of what it does."""
TAKES_AWAY = re.compile(f"{_DELETES}|{_BECOMES_ANOTHER}", re.IGNORECASE)
MOVED = re.compile(
    r"\b(?:mov(?:e|ing)|verschieb\w*|déplac\w*) (?:the |function |class |method |constant )*`?([\w.]+)", re.IGNORECASE
)
"""What is to stand elsewhere afterwards."""
DELETES = re.compile(_DELETES, re.IGNORECASE)
STAYS = re.compile(
    r"\b(?:keep\w*|kept|stay|stays|remain|remains|preserv\w*|retain\w*|leave(?! out\b)|unchanged|untouched|intact"
    r"|still (?:work|exist|pass|run|be)\w*|bleib\w*|behalte\w*|gard(?:e|er|ez)|conserv\w*)\b|保留",
    re.IGNORECASE,
)
NEGATION = (
    rf"\b(?:(?:not|never|nobody|no one)(?! (?:\w+ )?{_USED})|cannot|without|avoid\w*|(?:instead of|rather than) \w+ing"
    r"|rather than (?:delet|remov|drop|renam|replac|rewrit)e?"
    r"|nicht|ohne|pas|(?:no|under no|in no|by no|on no) (?:case|circumstances?|way|account|event|means)"
    r"|no (?:function|method|class|definition|test|file|part)\w*|(?:remove|delete|drop|rename|replace) no"
    r"|(?:no|non|n[ãa]o|ne|n') ?(?=elimin|borr|quit|remov|remplac|reemplaz|supprim|enlev|renom)"
    rf"|(?:ma non|pero no|mas n[ãa]o))\b|n't\b(?! (?:\w+ )?{_USED})|\bn'(?=enlev|élimin)|不|别|勿|莫"
)
NEGATES = re.compile(NEGATION, re.IGNORECASE)
_NAME = r"`?[\w./-]++`?(?:\(\))?"
_PLACES = r"(?:in|of|from|within|inside|into|by|for|on|at|to|aus|von|bei|dans|de|du|en)\b"
_ARTICLES = (
    r"(?:(?:the|all|both|each|every|this|functions?|class(?:es)?|methods?|modules?|files?|sections?|headings?|der|dem"
    r"|die|das|la|le|les|el|los) )*"
)
WHERE = re.compile(
    r"(?P<all>\b(?:rid|all|both|each|traces?|definitions?|implementations?|cop(?:y|ies)"
    r"|duplicates?|support|sections?|chapters?|paragraphs?) (?:of|for|on|about)\b)"
    rf"|\b{_PLACES} {_ARTICLES}{_NAME}"
    rf"(?:(?:, ?(?:and |or )?| (?:and|or|und|et|y) ){_NAME}(?! {_PLACES}))*"
    r"|(?<![A-Za-z0-9_./-])[A-Za-z0-9_./-]++(?:中|里)",
    re.IGNORECASE,
)
"""Where something is done, or to what it leads; `all`: what stands behind it is the object itself."""
WHO = re.compile(
    rf"(?<![\w./()`-])(?:{_NAME}(?:, and |, or | and | or )){{0,5}}{_NAME} "
    r"(?=(?:(?:should|must|shall|can|could|may|might|will|would|did"
    r"|does|do) )?(?:(?:not|also|only|always|never|\w+ly) )?(?:remove|delete|drop|discard|eliminate|strip|prune|purge"
    r"|replace|rename|merge|convert|translate|combine|split|shorten|rewrite)\b)",
    re.IGNORECASE,
)
WHY = re.compile(
    rf"(?<=[\w`)]),? (?:because|since|now that|given that|weil|parce que|porque)\b.*"
    rf"|,? \b(?:which|that) (?:the )?{_NAME} (?:(?:now|already|also|\w+ly) )?"
    r"(?:replac|supersed|cover|subsum|duplicat|wrap|does\b|has\b|us(?:es|ed)\b|need|call)\w*",
    re.IGNORECASE,
)
"""Behind what something is done to: why. What is named there does something itself: `which slug replaces`."""
REPLACED_WITH = re.compile(rf"(\breplac\w*\b.{{1,80}}?\bwith ){_NAME}", re.IGNORECASE)
REWRITTEN = re.compile(
    r"(?:\brewrit(?!es\b)\w*(?: (?:the|all|of|whole|entire|file|module|script))*|重写) ?[`'\"]?([\w./-]+)",
    re.IGNORECASE,
)
"""What is written anew. In a clause that says so of a function, its file is where that is found."""
ANEW = re.compile(
    r"\b(?:(?:write|writing|rewrit(?!es)\w*|implement|reimplement|build|rebuild|create|redo)\b"
    r".{0,80}\b(?:from scratch|anew)|start over"
    r"|replace (?:all|everything|the (?:whole |entire )?(?:contents?|file|code)))\b",
    re.IGNORECASE,
)
_NAMED = r"(?:(?:the|for|a|function|class|method|constant)s? )*`?(?P<name>\w+)(?P<more>.*)"
INSTEAD_OF = re.compile(rf"\b(?:instead of|rather than|in place of) {_NAMED}", re.IGNORECASE)
"""What another takes the place of: the first that is named behind it."""
_ALL = (
    r"(?:everything|anything|(?:all|every|any)(?: (?:the|other|of|unused|dead))*(?: (?:it|them|code|functions?|methods?"
    r"|class(?:es)?|definitions?|constants?|helpers?|names?|files?|exports?|else|others?))?)"
)
ALL_BUT = re.compile(
    rf"(?:(?:{_DELETES})\w* (?:of )?{_ALL} (?:(?:in|from) \S+ )?(?:but|except|besides|other than|apart from)"
    r"|\b(?:keep|leave) (?:\w+ )?only|\bonly (?:keep|leave)|\b(?:alles (?:außer|bis auf)|behalte nur)) "
    rf"{_NAMED}",
    re.IGNORECASE,
)
"""What stays where all else is to go: the first of it, and the rest of the clause, which may name more."""
ALL_THAT = re.compile(
    r"(?:^|(?P<only>\bonly ))[^\w`]*`?(?P<name>(?!only\b)\w+)`?(?P<more>(?:,? `?\w+`?){0,9}?) (?:is|are) "
    r"(?:all|the only \w+|(?(only)(?:still )?(?:used|needed)|(?!)))\b",
    re.IGNORECASE,
)
"""The same the other way round."""
ALL_ELSE = re.compile(
    r"\b(?:dead|unused|unneeded|obsolete|everything|anything|all|the rest|others?|else)\b", re.IGNORECASE
)
"""What is to go where only what stays is named."""
OF_FILES = re.compile(r"\b(?:modules?|files?|scripts?|packages?|pages?)\b|\bDatei|文件", re.IGNORECASE)
"""A word beside which another is the name of a file."""
OF_NAMES = re.compile(
    r"\brenam|\bnaming\b|\b(?:better|clearer|english|descriptive|meaningful|consistent) names?\b"
    r"|\b(?:use|give|choose|pick|find)\b.{0,40}\b(?:other|new) names?\b(?! \w+ ?(?:fields?|parameters?|arguments?))"
    r"|\b(?:prefix|suffix)(?:ed|ing)? (?:all|every|each|the|their|its|with)\b"
    r"|\b(?:prefix|suffix) .{0,20}\b(?:names|functions|methods|classes)\b"
    r"|umbenenn|benenne|renomm|renombr|重命名|改名",
    re.IGNORECASE,
)
"""Names that are not told become others."""
OF_MANY = re.compile(
    r"\b(?:all|every\w*|each|(?:function|method|classe|name|variable|constant|helper|identifier|parameter)s)\b",
    re.IGNORECASE,
)
"""Beside a name that is told, others are meant as well."""
OF_STYLE = re.compile(
    r"camel ?case|pascal ?case|snake[_ ]?case|pep ?8|\bnaming\b|\b(?:be|is|are|as|make\b.{1,40}) (?:private|public)\b"
    r"|underscore",
    re.IGNORECASE,
)
"""Names become the same words in another form."""
UNUSED = re.compile(
    r"\b(?:dead|unused|unneeded|unreachable|obsolete|orphan\w*|superfluous|not (?:\w+ )?(?:used|needed))\b",
    re.IGNORECASE,
)
OF_FORM = re.compile(r"\b(?:simplif|refactor|shorten|tidy|clean|vereinfach|simplifi)", re.IGNORECASE)
"""The same is to be written with less."""
