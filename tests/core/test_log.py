from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import treadle
from treadle.core.errors import StoreError
from treadle.core.log import LateLog, open_log
from treadle.core.places import Places


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "home", tmp_path)


def lines(places: Places) -> list[dict[str, Any]]:
    return [json.loads(line) for file in sorted(places.logs.iterdir()) for line in file.read_text().splitlines()]


def test_a_line_is_json_with_its_level_its_moment_and_its_fields(places: Places) -> None:
    log = open_log(places)

    log.warning("a plugin is slow", plugin="search", seconds=3.5, path=Path("x"), name="caf\udce9\n")

    (line,) = lines(places)
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "a plugin is slow",
        "level": "warning",
        "plugin": "search",
        "seconds": 3.5,
        "path": "PosixPath('x')",
        "name": "caf\udce9\n",
    }


def test_only_the_wanted_levels_are_written(places: Places) -> None:
    log = open_log(places, level="error")
    for method in (log.debug, log.info, log.warning, log.error, log.critical):
        method("said")

    assert [line["level"] for line in lines(places)] == ["error", "critical"]


def test_bound_fields_stand_in_every_line(places: Places) -> None:
    log = open_log(places).bind(session="s1")
    log.info("one")
    log.info("two", stage="PLANNING")

    assert [(line["session"], line["event"]) for line in lines(places)] == [("s1", "one"), ("s1", "two")]


def test_no_secret_reaches_the_file_not_even_by_a_traceback(places: Places) -> None:
    secret = 'correct horse\n"battery"'
    log = open_log(places, env={"MODEL_API_KEY": secret})

    log.info(f"calling with {secret}", headers={"Authorization": "Bearer xyz"}, nested=[{"a": secret}], **{secret: 1})
    try:
        raise RuntimeError(f"refused: {secret}")
    except RuntimeError:
        log.exception("failed")

    (file,) = places.logs.iterdir()
    written = file.read_text()
    assert "refused: [redacted]" in written
    for piece in ("correct horse", "battery", "xyz"):
        assert piece not in written


def test_the_file_is_for_the_person_alone_and_named_for_its_run(places: Places) -> None:
    open_log(places, clock=lambda: 1_795_827_912.0).info("said")

    (file,) = places.logs.iterdir()
    assert file.name.startswith("20261128-010512-")
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_full_file_is_followed_by_another_and_no_line_is_lost_or_torn(places: Places) -> None:
    log = open_log(places, max_bytes=2000)

    def work(name: int) -> None:
        for n in range(50):
            log.info("a line", by=name, n=n)

    threads = [threading.Thread(target=work, args=(t,)) for t in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sorted((line["by"], line["n"]) for line in lines(places)) == [(t, n) for t in range(4) for n in range(50)]
    files = list(places.logs.iterdir())
    assert len(files) > 5
    assert all(file.stat().st_size <= 2000 for file in files)


def test_a_line_longer_than_a_file_is_written_whole(places: Places) -> None:
    log = open_log(places, max_bytes=100)
    log.info("x" * 5000)
    log.info("next")

    assert [len(line["event"]) for line in lines(places)] == [5000, 4]


def test_a_log_that_cannot_be_opened_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="TREADLE_HOME"):
        open_log(Places(tmp_path / "file" / "home", tmp_path))


def test_a_late_log_is_opened_with_its_first_line(places: Places) -> None:
    log = LateLog(lambda: open_log(places))
    assert not places.logs.exists()
    log.warning("one", n=1)
    log.error("two")

    assert [line["event"] for line in lines(places)] == ["one", "two"]
    assert len(list(places.logs.iterdir())) == 1


def test_the_lines_of_a_late_log_that_cannot_be_opened_are_dropped(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    tried: list[str] = []

    def opened() -> Any:
        tried.append("to open it")
        return open_log(Places(tmp_path / "file" / "home", tmp_path))

    LateLog(opened).error("said")
    assert tried == ["to open it"]


def test_a_project_that_logs_nothing_does_not_import_structlog(tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from treadle.core.project import Project\n"
        f"Project(Path({str(tmp_path)!r}), env={{'TREADLE_HOME': {str(tmp_path / 'home')!r}}}).logger\n"
        "sys.exit('structlog' in sys.modules)"
    )
    root = Path(treadle.__file__).parent.parent
    assert subprocess.run([sys.executable, "-c", code], cwd=root, check=False).returncode == 0
