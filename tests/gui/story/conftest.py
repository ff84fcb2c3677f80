"""A folder of the tests' own lessons, in place of the shipped ones."""

import json
from pathlib import Path

import pytest
from lesson_bench import entry, lesson_text, step
from pixels import settle

from posenc_gui.look.resources import resource
from posenc_gui.window import story_commands

STEPS = (
    step("number", entry(3, 1), unit="rows", tolerance=0.05, reveal={"seq_len": 30}),
    step("choice", {"name": "entry", "arguments": {"position": 0, "column": 0}}, choices=["0", "1", "$x^2$"]),
    step("click", {"name": "column_values", "arguments": {"column": 0, "stop": 2}}),
    step("drawing", {"name": "column_values", "arguments": {"column": 1, "stop": 12}}, panel="waves"),
)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the window reads its lessons from: two lessons, and a file that is damaged."""
    found = tmp_path / "lessons"
    found.mkdir()
    (found / "1-kinds.json").write_text(lesson_text("What kinds are there?", *STEPS), encoding="utf-8")
    (found / "2-short.json").write_text(lesson_text("Is it short?", STEPS[0]), encoding="utf-8")
    (found / "3-damaged.json").write_text(json.dumps({"format": "posenc lesson"}), encoding="utf-8")
    monkeypatch.setattr(story_commands, "resource", lambda *parts: found if parts == ("lessons",) else resource(*parts))
    return found


@pytest.fixture
def dock(folder: Path, window):
    """The dock of the lessons, on the screen."""
    window.menus.actions["lessons"].trigger()
    settle()
    return window.commands.story.lessons
