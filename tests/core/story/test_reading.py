"""Lessons are read from files, and a file that cannot be read is refused in one sentence while others go on."""

import json
from pathlib import Path

from posenc_core.story import read_lessons
from posenc_gui.panels import PANEL_NAMES, WORKSPACES

LESSONS = Path(__file__).parents[3] / "resources" / "lessons"
FIRST = json.loads((LESSONS / "01-why-not-just-count.json").read_text(encoding="utf-8"))


def read(folder):
    return read_lessons(folder, WORKSPACES, PANEL_NAMES)


def test_every_lesson_of_the_program_is_read():
    lessons, refusals = read(LESSONS)
    assert refusals == ()
    assert [lesson.name for lesson in lessons] == sorted(path.stem for path in LESSONS.glob("*.json"))
    assert all(lesson.title.endswith("?") for lesson in lessons)


def test_a_damaged_lesson_is_refused_in_a_sentence_and_the_others_go_on(tmp_path):
    (tmp_path / "1.json").write_text("{", encoding="utf-8")
    (tmp_path / "2.json").write_text(json.dumps(FIRST), encoding="utf-8")
    lessons, refusals = read(tmp_path)
    assert [lesson.title for lesson in lessons] == ["Why not just count?"]
    assert refusals == ("The lesson '1.json' cannot be read: it ends too early, or is empty.",)
