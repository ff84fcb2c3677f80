"""Lessons are read from files, and a file that cannot be read is refused in one sentence while others go on."""

import copy
import json
import subprocess
import sys
from pathlib import Path

import pytest

from posenc_core import Document, IntegerIndex
from posenc_core.story import (
    Call,
    Piece,
    compute,
    filled,
    is_near,
    names_in,
    pieces,
    read_lessons,
    shown_value,
    without_prediction,
)
from posenc_gui.panels import PANELS, WORKSPACES

ROOT = Path(__file__).parents[3]
LESSONS = ROOT / "resources" / "lessons"
FIRST = json.loads((LESSONS / "01-why-not-just-count.json").read_text(encoding="utf-8"))
FAULTS = json.loads((LESSONS / "10-find-the-fault.json").read_text(encoding="utf-8"))


def read(folder):
    return read_lessons(folder, WORKSPACES, PANELS)


def changed(*path, to):
    """The first lesson with one value of its file changed, added, or for None taken away."""
    lesson = copy.deepcopy(FIRST)
    place = lesson
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = to
    if to is None:
        del place[path[-1]]
    return lesson


STEP = ("steps", 1)
START, PREDICT, CHECK = (*STEP, "start"), (*STEP, "predict"), (*STEP, "check")
NAN = {"name": "row_cosine", "arguments": {"first": 0, "second": 5}}


@pytest.mark.parametrize(
    ("lesson", "reason"),
    [
        ("", "it ends too early, or is empty"),
        ("[]", "it contains no object with names and values"),
        ('{"format": "posenc lesson",}', "it is not valid JSON"),
        ('{"format": "posenc lesson", "format": 1}', "it has 'format' twice"),
        ("\ud800".encode("utf-8", "surrogatepass"), "it is not UTF-8 text"),
        (changed("title", to="half \ud800"), "it contains half of a character (a lone surrogate)"),
        (changed(*START, "document", "sentence", to="\ud800"), "it contains half of a character (a lone surrogate)"),
        (b" " * (2**20 + 1), "it is larger than 1024 kB"),
        (changed(*START, "given", to={"rows": 8, "tables": {"A": "haunted"}}), "tables have 1 to 1024 rows and known"),
        (changed(*START, "given", to={"rows": 10**9, "tables": {"A": ""}}), "tables have 1 to 1024 rows and known"),
        (changed("format", to="posenc session"), "its format is not 'posenc lesson'"),
        (changed("version", to=2), "its version is 2, this program reads 1"),
        (changed("title", to=7), "title: expected str, got int"),
        (changed("title", to=None), "the file: object missing required field title"),
        (changed("steps", to=[]), "it has no steps"),
        (changed("author", to="me"), "the file: object contains unknown field author"),
        (changed(*STEP, "song", to="la"), "steps[1]: object contains unknown field song"),
        (changed(*PREDICT, "kind", to="shout"), "steps[1].predict.kind: invalid enum value 'shout'"),
        (changed(*PREDICT, "tolerance", to="wide"), "steps[1].predict.tolerance: expected float, got str"),
        (changed(*PREDICT, "answer", "name", to="os.system"), "step 2: there is no answer function 'os.system'"),
        (changed(*PREDICT, "answer", "name", to="__import__"), "step 2: there is no answer function '__import__'"),
        (changed(*PREDICT, "answer", "arguments", "line", to=3), "the answer function column_mean cannot be called"),
        (changed(*PREDICT, "answer", "arguments", "stop", to="all"), "step 2: 'column_mean' has no answer"),
        (changed(*PREDICT, "answer", "arguments", "stop", to=10**15), "an answer takes 1 to 16,384 positions"),
        (changed(*PREDICT, "answer", to={"name": "length_for_step", "arguments": {"step": 0}}), "has no answer"),
        (changed(*PREDICT, "answer", to={"name": "drift_position", "arguments": {"other": 3}}), "got 3"),
        (changed(*PREDICT, "answer", "arguments", "column", to=5), "column 5 is outside 0..2"),
        (changed(*PREDICT, "answer", "arguments", "stop", to=float("inf")), "contains Infinity, which is not a number"),
        (changed(*PREDICT, "answer", to=NAN), "'row_cosine' has no answer: its result is not finite"),
        (changed(*CHECK, "answer", to=NAN), "'row_cosine' has no answer: its result is not finite"),
        (changed(*STEP, "numbers", "size", to=NAN), "'row_cosine' has no answer: its result is not finite"),
        (changed(*CHECK, "answer", to={"name": "source_label"}), "step 2: source_label does not return a number"),
        (changed(*PREDICT, "kind", to="click"), "step 2: column_mean does not return a cell"),
        (changed(*PREDICT, "kind", to="drawing"), "step 2: column_mean does not return a curve"),
        (changed(*PREDICT, "kind", to="choice"), "step 2: the answer '255.5' is not among the choices"),
        (changed(*PREDICT, "choices", to=["1"]), "choices belong to a prediction or a check of the kind choice"),
        (changed(*PREDICT, "panel", to="opera"), "step 2: there is no panel 'opera'"),
        (changed(*START, "panel", to="opera"), "step 2: there is no panel 'opera'"),
        (changed(*START, "workspace", to="kitchen"), "step 2: there is no workspace 'kitchen'"),
        (changed(*START, "cursor", to=[3, 3]), "step 2: its document has no cell at position 3, column 3"),
        (changed(*STEP, "derivation", to=[3, -1]), "step 2: its document has no cell at position 3, column -1"),
        (changed(*START, "document", "seq_len", to=0), "step 2: this session is damaged"),
        (changed(*START, "document", "format", to="x"), "step 2: this is no PosEnc session"),
        (changed(*START, "document", "encoding", "d_modell", to=3), "step 2: its document has unknown fields"),
        (changed(*PREDICT, "reveal", to={"seq_len": 0}), "step 2: seq_len must be an integer >= 1, got 0"),
        (changed(*PREDICT, "reveal", to={"seqlen": 9}), "step 2: the document has no field 'seqlen' to edit"),
        (changed(*START, "config", to="../../a.json"), "config must be the name of a file beside the lessons"),
        (changed(*START, "config", to="missing.json"), "step 2: No such file or directory"),
        (changed(*START, "layer", to=1), "step 2: a layer needs a config"),
        (changed(*STEP, "gap", to="It is {sum}."), "step 2: a text asks for the number 'sum', which the step does not"),
        (changed(*STEP, "gap", to="A [[flute]]."), "step 2: the glossary has no word 'flute'"),
    ],
)  # fmt: skip
def test_a_lesson_with_a_fault_is_refused_in_a_sentence_and_the_others_go_on(tmp_path, lesson, reason):
    data = json.dumps(lesson) if isinstance(lesson, dict) else lesson
    (tmp_path / "1.json").write_bytes(data if isinstance(data, bytes) else data.encode())
    (tmp_path / "2.json").write_text(json.dumps(FIRST), encoding="utf-8")
    lessons, (refusal,) = read(tmp_path)
    assert [lesson.name for lesson in lessons] == ["2"]
    assert refusal.startswith("The lesson '1.json' cannot be read: ")
    assert reason in refusal
    assert refusal.endswith(".")
    assert "\n" not in refusal


def test_a_folder_or_a_missing_folder_in_the_place_of_lessons_is_no_crash(tmp_path):
    (tmp_path / "1.json").mkdir()
    lessons, refusals = read(tmp_path)
    assert lessons == ()
    assert refusals == ("The lesson '1.json' cannot be read: it is a folder.",)
    assert read(tmp_path / "missing") == ((), ())


@pytest.mark.parametrize(("layer", "reason"), [(99, "the model has no layer 99"), (-1, "the model has no layer -1")])
def test_a_layer_that_the_model_lacks_is_refused(tmp_path, layer, reason):
    lesson = copy.deepcopy(FAULTS)
    lesson["steps"][0]["start"]["layer"] = layer
    (tmp_path / "1.json").write_text(json.dumps(lesson), encoding="utf-8")
    (tmp_path / "configs").symlink_to(LESSONS / "configs")
    _, (refusal,) = read(tmp_path)
    assert reason in refusal


def test_a_lesson_does_not_name_a_file_and_cannot_open_a_table(tmp_path):
    lesson = changed(*START, "document", "encoding", to={"family": "learned", "weights": "file", "table_digest": "ab"})
    (tmp_path / "1.json").write_text(json.dumps(lesson), encoding="utf-8")
    _, (refusal,) = read(tmp_path)
    assert "which a session does not contain" in refusal


def test_the_program_starts_without_lessons():
    program = "import sys, posenc_core, posenc_gui.panels; sys.exit('posenc_core.story' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], cwd=ROOT, check=False).returncode == 0


def test_numbers_take_the_places_of_their_names_and_formulas_stay():
    text = "{answer} of {many:,}, {part:.2f}, {word}, {cell}, {yes} and {other} in $x^{answer}$"
    values = {"answer": 12.5, "many": 81234, "part": -0.126, "word": "pair", "cell": (-1, 4), "yes": True}
    assert filled(text, values) == "12.5 of 81,234, −0.13, pair, −1, 4, yes and {other} in $x^{answer}$"
    assert names_in(text) == ("answer", "many", "part", "word", "cell", "yes", "other")
    assert filled("{answer.__class__} {answer[0]} {answer!r}", values) == "{answer.__class__} {answer[0]} {answer!r}"
    assert shown_value(628.3185307) == "628.319"


def test_a_text_is_cut_into_words_formulas_and_terms():
    assert pieces("Each [[pairs|pair]] turns by $2\\pi$ over its [[wavelength]].") == (
        Piece("words", "Each "),
        Piece("term", "pairs", "pair"),
        Piece("words", " turns by "),
        Piece("formula", "2\\pi"),
        Piece("words", " over its "),
        Piece("term", "wavelength", "wavelength"),
        Piece("words", "."),
    )


@pytest.mark.parametrize(
    ("gap", "rest"),
    [
        ("You expected {prediction}; it is {answer}. Long.", "It is {answer}. Long."),
        ("You expected {prediction} degrees; it is {answer:.1f}.", "It is {answer:.1f}."),
        ("You expected pair {prediction}; it is pair {answer}.", "It is pair {answer}."),
        ("You expected: {prediction}. It is: {answer}.", "It is: {answer}."),
        ("Column 0 is a line.", "Column 0 is a line."),
    ],
)
def test_the_text_on_a_gap_is_whole_without_a_prediction(gap, rest):
    assert without_prediction(gap) == rest


def test_a_tolerance_is_relative_and_absolute_for_zero():
    assert is_near(630, 628.3, 0.01)
    assert not is_near(640, 628.3, 0.01)
    assert is_near(0.05, 0.0, 0.1)
    assert is_near(7, 7, 0.0)
    assert not is_near(float("nan"), 7, 1.0)
    assert not is_near(float("inf"), 7, 1.0)


def test_a_call_edits_a_copy_of_the_document():
    document = Document(seq_len=8, encoding=IntegerIndex(3))
    assert compute(Call("entry", {"position": 5, "column": 1, "edits": {"offset": 2}}), document) == 7
    assert compute(Call("entry", {"position": 5, "column": 1}), document) == 5
    with pytest.raises(ValueError, match="edits must be an object, got 3"):
        compute(Call("entry", {"position": 5, "column": 1, "edits": 3}), document)
