"""SARIF 2.1.0 (https://docs.oasis-open.org/sarif/sarif/v2.1.0/): what code hosts and editors show at the lines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

import treadle
from treadle.core import paths
from treadle.core.contributions import ScanRule
from treadle.tui.formats.complaints import Complaint
from treadle.tui.result import Result

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {"deny": "error", "ask": "warning", "note": "note"}
_VALIDATOR = "What a validator of Treadle says against a change: its tests, compiling, a linter, types, time or memory."


def sarif(result: Result, complaints: Iterable[Complaint], rules: Mapping[str, ScanRule], about: str = "") -> str:
    """One run, with a rule for each name that a complaint has. What kept the check from its end, or from looking at
    everything, are notifications of the tool. `about` is a file to which what is about the whole is put: code hosts
    refuse a result without a place."""
    complaints = tuple(complaints)
    names = tuple(dict.fromkeys(each.rule for each in complaints))
    completed = result.state in ("SOLVED", "UNSOLVED")
    told = [_notification("note", note) for note in result.notes]
    if result.reason and (not completed or not complaints):
        told.append(_notification("note" if result.state == "SOLVED" else "error", result.reason))
    run = {
        "tool": {
            "driver": {
                "name": "Treadle",
                "version": treadle.__version__,
                "rules": [_rule(name, rules.get(name), complaints) for name in names],
            }
        },
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {"executionSuccessful": completed, "exitCode": result.exit_code, "toolExecutionNotifications": told}
        ],
        "results": [_result(each, names.index(each.rule), about) for each in complaints],
    }
    return json.dumps({"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2, ensure_ascii=True) + "\n"


def _rule(name: str, rule: ScanRule | None, complaints: Iterable[Complaint]) -> dict[str, Any]:
    """A rule as its plugin tells it, else as what is found by it says."""
    if rule is None:
        advice = next((each.advice for each in complaints if each.rule == name and each.advice), "")
        text = _VALIDATOR if name.startswith("validate-") else name
        described = {"shortDescription": {"text": text}, "help": {"text": advice or text}}
        return {"id": name, **described}
    return {
        "id": name,
        "shortDescription": {"text": rule.summary},
        "help": {"text": rule.advice or rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.severity]},
    }


def _result(complaint: Complaint, index: int, about: str) -> dict[str, Any]:
    text = ": ".join(filter(None, (complaint.message, complaint.advice)))
    result: dict[str, Any] = {
        "ruleId": complaint.rule,
        "ruleIndex": index,
        "level": complaint.level,
        "message": {"text": text},
    }
    if complaint.path or about:
        name = quote(os.fsencode(paths.decode(complaint.path or about)))
        place = {
            "artifactLocation": {"uri": name, "uriBaseId": "%SRCROOT%"},
            "region": {"startLine": complaint.line or 1},
        }
        result["locations"] = [{"physicalLocation": place}]
    return result


def _notification(level: str, text: str) -> dict[str, Any]:
    return {"level": level, "message": {"text": text}}
