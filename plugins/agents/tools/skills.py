"""Finding verified functions: Treadle's own skills, and those that plugins bring."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from treadle import skills as room
from treadle.core.contributions import Skill
from treadle.plugins.agents.tools.brought import answer_of
from treadle.plugins.agents.tools.tool import Arguments, Desk, OwnTool
from treadle.plugins.agents.words import telling

_MOST = 8


class SearchSkillsArguments(Arguments, frozen=True, kw_only=True):
    """Find tested functions for common work (retries, parsing, files, caches, graphs, ...) to copy into the project
    instead of writing them anew."""

    words: Annotated[str, Meta(description="What it should do, in a few words", min_length=1)]
    code: Annotated[bool, Meta(description="Show the code of the one that fits best")] = False


def _search_skills(arguments: SearchSkillsArguments, desk: Desk) -> str:
    brought = [each for each in desk.context.contributions("skill") if isinstance(each, Skill)]
    known: list[room.Skill | Skill] = [*room.catalogue(), *brought]
    words = telling(arguments.words)
    # Without words, all of them would fit.
    found = room.find(words, known) if words else ()
    if not found:
        return f"no skill fits {arguments.words!r}"
    if arguments.code:
        return f"{found[0].name}: {found[0].summary}\n\n{_code(found[0], desk)}"
    lines = []
    for skill in found[:_MOST]:
        lines.append(f"{skill.name}: {skill.summary}")
        lines += [f"    {line}" for line in skill.signature.split("\n") if line]
    if len(found) > _MOST:
        lines.append(f"[... {len(found) - _MOST} more; say more exactly what is wanted ...]")
    return "\n".join(lines)


def _code(skill: room.Skill | Skill, desk: Desk) -> str:
    return skill.code if isinstance(skill, room.Skill) else answer_of(desk, "skill", skill.name, {})


SEARCH_SKILLS = OwnTool("search_skills", SearchSkillsArguments, _search_skills, more="copy what is needed of it")
