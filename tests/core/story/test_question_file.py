"""Questions are read from their file, and one that cannot be read is refused in a sentence while others go on."""

import copy
import json
from pathlib import Path

import pytest

from posenc_core.story import read_questions
from posenc_gui.panels import PANELS, WORKSPACES

FILE = Path(__file__).parents[3] / "resources" / "questions.json"
WHOLE = json.loads(FILE.read_text(encoding="utf-8"))
SINE = next(each for each in WHOLE["questions"] if each["number"] == 3)
COUNT = next(each for each in WHOLE["questions"] if each["number"] == 22)


def read(path, text):
    path.write_text(text, encoding="utf-8")
    return read_questions(path, WORKSPACES, PANELS, ("model",))


def written(tmp_path, *questions):
    return read(tmp_path / "q.json", json.dumps({**WHOLE, "questions": questions}))


def test_every_question_of_the_program_is_read():
    found, refusals = read_questions(FILE, WORKSPACES, PANELS, ("model", "number", "check"))
    assert refusals == ()
    assert len(found) == len(WHOLE["questions"]) == 25
    assert [each.number for each in found if each.is_door] == [25, 3, 4, 23, 15, 24]


KEYS = {*("number", "question", "words", "door", "start", "dock", "answer", "numbers"), "copies", "checks", "action"}


def test_every_number_of_an_answer_is_the_value_of_a_call_and_none_is_stored():
    for each in WHOLE["questions"]:
        assert set(each) <= KEYS
        for call in each.get("numbers", {}).values():
            assert set(call) <= {"name", "arguments", "letter"}


FAULTS = {
    "an unknown function": (("numbers", "both", "name"), "eval", "there is no answer function 'eval'"),
    "arguments that it does not take": (("numbers", "both", "arguments"), {"x": 1}, "cannot be called"),
    "an encoding that is not there": (("numbers", "both", "letter"), "B", "has no encoding 'B'"),
    "a call without an answer": (
        ("numbers", "both"),
        {"name": "parameter", "arguments": {"field": "nothing"}},
        "'parameter' has no answer",
    ),
    "an unknown panel": (("start", "panel"), "nowhere", "there is no panel 'nowhere'"),
    "an unknown workspace": (("start", "workspace"), "nowhere", "there is no workspace 'nowhere'"),
    "an unknown dock": (("dock",), "nowhere", "there is no dock 'nowhere'"),
    "an unknown field": (("colour",), "red", "unknown field"),
    "an unknown field of the document": (("start", "document", "colour"), "red", "unknown fields"),
    "a cell outside the table": (("start", "cursor"), [0, 99], "no cell at position 0, column 99"),
    "a document that is refused": (("start", "document", "seq_len"), -1, "seq_len"),
    "a place without a number": (("answer",), "{other}", "asks for other"),
    "a number without a place": (("answer",), "Because.", "asks for none"),
    "two lines": (("words",), "one\ntwo", "must each be one line"),
    "no words": (("words",), "", "must each be one line"),
    "a number that is a word": (("number",), "three", "number"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_question_with_a_fault_is_refused_in_a_sentence_and_the_others_go_on(tmp_path, fault):
    path, value, why = FAULTS[fault]
    damaged = copy.deepcopy(SINE)
    place = damaged
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    found, refusals = written(tmp_path, damaged, COUNT)
    assert [each.number for each in found] == [22]
    (refusal,) = refusals
    assert refusal.startswith("The question at place 1 of 'q.json' cannot be read: ")
    assert why in refusal
    assert "\n" not in refusal


def test_a_number_that_is_taken_is_refused(tmp_path):
    found, refusals = written(tmp_path, SINE, {**COUNT, "number": 3})
    assert [each.text for each in found] == ["Why sine and cosine?"]
    assert "its number 3 is taken" in refusals[0]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": "posenc lesson"}', json.dumps({**WHOLE, "version": 2})])
def test_a_file_that_is_none_of_questions_has_one_sentence(tmp_path, text):
    found, refusals = read(tmp_path / "q.json", text)
    assert found == ()
    assert len(refusals) == 1
    assert refusals[0].startswith("The questions 'q.json' cannot be read: ")


def test_a_missing_file_has_one_sentence(tmp_path):
    assert read_questions(tmp_path / "none.json", WORKSPACES, PANELS)[1] != ()


def test_numbers_are_written_as_people_write_them(tmp_path):
    question = {
        **{key: SINE[key] for key in ("number", "question", "words")},
        "answer": "{a}, {b}, {c}, {d}, {e:.2f}.",
        "numbers": {
            name: {"name": "parameter", "arguments": {"field": "base", "edits": {"base": value}}}
            for name, value in (("a", 10000.0), ("b", 54410.14), ("c", 0.5), ("d", 2.5e-7), ("e", 1.005))
        },
    }
    (found,), _ = written(tmp_path, question)
    assert found.answered() == "10,000, 54,410, 0.5, 2.5e−07, 1.00."
