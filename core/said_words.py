"""The words by which a task says that something is not to stay, in a few languages. In others a person is asked once
more."""

from __future__ import annotations

import re

_DELETES = (
    r"\b(?:remov|delet|drop(?!down)|get(?:s|ting)? rid|unused|dead\b|obsolete|no longer|eliminat|strip(?!e)|discard"
    r"|prune|pruning|purge|ditch|scrap(?!e|ing)|throw\w* (?:away|out)|kill\b|retire\b|unneeded|unnecessary|superseded"
    r"|(?:not|nobody|no one|never) (?:\w+ )?(?:us(?:ed|es)|needed|needs|called|necessary|required)\b"
    r"|entfern|lösch|supprim|enlev|elimin|borr(?!ow)|quit[aá])"
    r"|n't (?:\w+ )?(?:used|needed|called|necessary|required)\b|删除|移除|去掉"
)
_BECOMES_ANOTHER = (
    r"\b(?:renam|replac|merg|inlin|rewrit|deprecat|convert|clean|unif(?!orm)|consolidat|translat|rephras|reword|reformat"
    r"|shorten|dedup|(?:be|is|are) (?:called|named|private|public)|make\w* \S+ (?:private|public)|camelcase|snake_case"
    r"|(?:turn|split|break|fold|make)\b.{1,80}\binto\b|collaps|combin|migrat|switch\w* from"
    r"|ersetz|umbenenn|benenne|renomm|remplac|renombr|reemplaz)|\w *(?:→|[-=]>) *\w|重命名|改名|替换|重写|合并"
)
"""What is moved is there afterwards: it needs no word."""
TAKES_AWAY = re.compile(f"{_DELETES}|{_BECOMES_ANOTHER}", re.IGNORECASE)
DELETES = re.compile(_DELETES, re.IGNORECASE)
KEEPS = re.compile(
    r"\b(?:(?:not|never)(?! (?:\w+ )?(?:used|needed|called|necessary|required)\b)|without|keep|keeps|stay|stays"
    r"|nicht|ohne|bleibt|behalte)\b|n't\b(?! (?:\w+ )?(?:used|needed|called|necessary|required)\b)|不|保留",
    re.IGNORECASE,
)
"""In a sentence that also says of something that it stays, nobody can tell which is which."""
REWRITTEN = re.compile(
    r"(?:\brewrit\w*(?: (?:the|all|of|whole|entire|file|module|script))*|重写) ?[`'\"]?([\w./-]+)", re.IGNORECASE
)
"""What is written anew. In a sentence that says so of a function, its file is where that is found."""
ANEW = re.compile(
    r"\b(?:from scratch|start over|anew|replace (?:all|everything|the (?:whole |entire )?(?:contents?|file|code)))\b",
    re.IGNORECASE,
)
_NAMED = r"(?:(?:the|for|a|function|class|method|constant)s? )*`?(?P<name>\w+)(?P<more>.*)"
INSTEAD_OF = re.compile(rf"\b(?:instead of|rather than|in place of) {_NAMED}", re.IGNORECASE)
"""What another takes the place of: the first that is named behind it."""
ALL_BUT = re.compile(
    r"\b(?:(?:every|all|any)\w*\b.{0,40}?\b(?:but|except|besides|other than|apart from)"
    rf"|(?:keep|leave) (?:\w+ )?only|only (?:keep|leave)|alles (?:außer|bis auf)|behalte nur) {_NAMED}",
    re.IGNORECASE,
)
"""What stays where all else is to go: the first of it, and the rest of the sentence, which may name more."""
ALL_THAT = re.compile(
    r"(?:^|\bonly )[^\w`]*`?(?P<name>(?!only\b)\w+)`?(?P<more>(?:,? `?\w+`?){0,9}?) (?:is|are) (?:all|the only \w+"
    r"|(?:still )?(?:used|needed))\b",
    re.IGNORECASE,
)
"""The same the other way round."""
OF_NAMES = re.compile(
    r"\brenam|\bnaming\b|\b(?:better|clearer|other|new|english|descriptive|meaningful|consistent)"
    r" names?\b|\bprefix|\bsuffix|umbenenn|benenne|renomm|renombr|重命名|改名",
    re.IGNORECASE,
)
"""Names that are not told become others."""
OF_STYLE = re.compile(
    r"camel ?case|pascal ?case|snake[_ ]?case|pep ?8|\bnaming\b|\bprivate\b|\bpublic\b|underscore", re.IGNORECASE
)
"""Names become the same words in another form."""
UNUSED = re.compile(
    r"\b(?:dead|unused|unneeded|unreachable|obsolete|orphan\w*|superfluous|not (?:\w+ )?(?:used|needed))\b",
    re.IGNORECASE,
)
OF_FORM = re.compile(r"\b(?:simplif|refactor|shorten|tidy|clean|vereinfach|simplifi)", re.IGNORECASE)
"""The same is to be written with less."""
