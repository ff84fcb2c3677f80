"""Every step of every lesson sets up what it says, and its answers are the numbers that are known otherwise."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from cases import each_case

from posenc_core import Document, open_model
from posenc_core.story import Call, choice_of, compute, edited, read_lessons, shown_value
from posenc_gui.panels import PANELS, WORKSPACES, first_panels

LESSONS = Path(__file__).parents[3] / "resources" / "lessons"
READ, REFUSED = read_lessons(LESSONS, WORKSPACES, PANELS)
BY_NUMBER = {lesson.name[:2]: lesson for lesson in READ}
STEPS = [pytest.param(step, id=f"{lesson.name}-{n}") for lesson in READ for n, step in enumerate(lesson.steps, 1)]

OWN = 1.138629436111989  # 0.1 ln 4 + 1
SLOW, SLOWEST = math.sin(0.08) - math.sin(0.07), math.sin(0.008) - math.sin(0.007)
EXPECTED = {
    "01": [
        (tuple(range(512)), 300),
        (255.5, 511.5, {"deviation": 147.8}),
        (1.0, 1.0),
        (769, 256),
    ],
    "02": [
        (0.6, 0.4, {"before": 0.75}),
        (4, 499),
        (0.0612, 0.0060, {"before": 0.75}),
        (101, 0.1, {"step": 0.25, "last": 100}),
    ],
    "03": [
        (4, 3, {"next": 1}),
        (1, 4, {"near": 4}),
        (8, 16, {"first": 2, "second": 4}),
        (10, 1024, {"last": 15}),
        ("yes", "no", {"error": 1.0}),
    ],
    "04": [
        ((-1, 4), 5),
        (628.3, 6283.2, {"zero": 6.28, "one": 62.83, "three": 6283.2, "ratio": 10}),
        (0.5, 0.75),
        (2, 1),
        (SLOW, SLOWEST, {"bit": 1, "fast": math.sin(8) - math.sin(7)}),
    ],
    "05": [
        ("no", "no"),
        (math.degrees(1), math.degrees(0.01)),
        ("yes", math.cos(3)),
        ("the identity", "yes"),
        ("yes", 0.9439, {"error": 0.87}),
    ],
    "06": [
        (0.677, 0.108),
        ("0", 0.165, {"noise": 0.165}),
        ("no", 63),
        (1024 * 768, 1023),
    ],
    "07": [
        (70.2790, 70.2790, {"before": 70.2790}),
        ("no", 25.317, {"before": 103.36, "after": 29.24}),
        ("yes", 45.9296, {"wrong": 45.9296, "right": 70.2790}),
        ("no", 242.46, {"square": 204.0, "broken": 242.46, "later": 329.90,
                        "none": -14.2, "ten": -13.3, "hundred": 41.8}),
        ("compare the score with the model's own", "move both and compare the scores"),
    ],
    "08": [
        (18, 46, {"pairs": 64, "complete": 46}),
        (4097, 18, {"count": 18}),
        (46, 4096 / (2 * math.pi * 10000 ** (92 / 128)), {"length": 2 * math.pi * 10000 ** (92 / 128)}),
        ("yes", 4095, {"largest": 1.000}),
        (29, 64 - 29, {"pairs": 64}),
    ],
    "09": [
        (0.25, 0, {"before": 1}),
        (17, 11271, {"without": 18, "angle": 1}),
        (4, 0, {"fast": 1, "llama": 0}),
        (1.2965, "yes", {"factor": OWN}),
        ("Dynamic NTK", 30527.7367488067),
    ],
    "10": [
        (29, 7, {"pairs": 64, "degrees": 45}),
        (2, 29, {"degrees": 45}),
        ("no", 1.29647699278071, {"factor": OWN**2}),
        (1502, 14, {"degrees": 45}),
        ("no", 3),
    ],
    "11": [
        ("B", "the exponent is 2c/d"),
        ("the exponent is 2c/d", 0.5403023058681398, {"position": 1, "column": 1}),
        ("all columns are sines", 1),
        ("the exponent is c/d", 1),
    ],
}  # fmt: skip
"""By lesson, for each step the answer of its prediction, that of its check, and some of its other numbers."""

ANSWERS = [
    pytest.param(BY_NUMBER[name].steps[number], expected, id=f"{name}-{number + 1}")
    for name, steps in EXPECTED.items()
    for number, expected in enumerate(steps)
]


def agrees(found, stated):
    """Whether a computed value is the stated one to the digits that are stated."""
    if isinstance(stated, tuple):
        return found == pytest.approx(stated)
    if isinstance(stated, str):
        return shown_value(found) == stated
    decimals = len(repr(stated).partition(".")[2])
    if decimals > 8:  # computed here
        return found == pytest.approx(stated, rel=1e-9)
    return abs(found - stated) <= 0.5000001 * 10.0**-decimals if decimals else found == stated


def test_there_are_eleven_lessons_of_four_to_six_steps():
    assert REFUSED == ()
    assert list(BY_NUMBER) == [f"{number:02}" for number in range(1, 12)]
    assert all(4 <= len(lesson.steps) <= 6 for lesson in READ)
    assert {name: len(steps) for name, steps in EXPECTED.items()} == {
        n: len(each.steps) for n, each in BY_NUMBER.items()
    }


@each_case("step, expected", ANSWERS)
def test_the_answers_agree_with_the_numbers_that_are_known(step, expected):
    predicted, checked, *others = expected
    document = step.start.document
    assert agrees(compute(step.predict.answer, document), predicted)
    assert agrees(compute(step.check.answer, document), checked)
    for name, stated in (others[0] if others else {}).items():
        assert agrees(compute(step.numbers[name], document), stated), name


@each_case("step", STEPS)
def test_a_steps_document_is_a_session_and_its_panel_is_in_its_workspace(step):
    document = step.start.document
    assert Document.from_json(document.to_json(), document.tables) == document
    assert step.start.panel in first_panels(step.start.workspace)
    assert step.predict.panel in first_panels(step.start.workspace)
    if step.derivation is not None:
        assert np.isfinite(document.encoding.explain(*step.derivation).value)


@each_case("step", STEPS)
def test_show_edits_the_document_and_the_checks_answer_stays(step):
    document = step.start.document
    shown = edited(document, step.predict.reveal)
    assert (shown == document) == (not step.predict.reveal)
    before, after = (compute(step.check.answer, each) for each in (document, shown))
    assert shown_value(before) == shown_value(after)


@each_case("step", STEPS)
def test_a_check_names_each_number_that_it_does_not_read_from_the_screen(step):
    shown = edited(step.start.document, step.predict.reveal).to_dict()
    shown |= shown["encoding"]
    shown.pop("seq_len")  # bounds the positions that can be asked for
    for name, number in step.check.answer.arguments.get("edits", {}).items():
        if isinstance(number, float | int) and name in shown and (name in step.controls or shown[name] != number):
            assert re.search(rf"\b{number:,}\b", step.check.question), f"{name} is {number}"


@each_case("step", STEPS)
def test_a_question_has_the_choices_yes_and_no_or_several_others(step):
    for asked in (step.predict, step.check):
        if asked.kind == "choice":
            answer = compute(asked.answer, step.start.document)
            assert choice_of(answer, asked.choices) in range(len(asked.choices))
            assert len(set(asked.choices)) == len(asked.choices) > 1


def test_the_error_of_one_matrix_for_every_row_is_rounding():
    first = BY_NUMBER["05"].steps[0]
    assert compute(first.numbers["error"], first.start.document) < 1e-15


def test_a_pair_before_the_first_incomplete_one_made_a_full_turn():
    step = BY_NUMBER["08"].steps[2]
    turns = compute(step.numbers["turns"], step.start.document)
    assert turns == pytest.approx(4096 / (2 * math.pi * 10000 ** (90 / 128)))
    assert turns >= 1


def test_embeddings_of_the_first_lesson_are_near_the_size_that_they_are_drawn_with():
    step = BY_NUMBER["01"].steps[1]
    assert compute(step.numbers["size"], step.start.document) == pytest.approx(1 / math.sqrt(3), rel=0.3)


def test_positions_near_4000_share_a_number_in_bfloat16():
    step = BY_NUMBER["01"].steps[3]
    shared = [p for p in range(3000, 5000) if abs(p - 4000) < 8 or (abs(p - 4000) == 8 and (4000 // 16) % 2 == 0)]
    assert compute(step.numbers["shared"], step.start.document) == len(shared)


CONFIGS = LESSONS / "configs"


def test_the_refused_file_of_lesson_ten_is_the_one_whose_refusal_is_told():
    call = BY_NUMBER["10"].steps[1].numbers["sentence"]
    config = json.loads((CONFIGS / "config-b.json").read_text(encoding="utf-8"))
    assert call.arguments["config"] == config
    with pytest.raises(ValueError, match="rope_type") as refused:
        open_model(CONFIGS / "config-b.json")
    assert compute(call, Document()) == str(refused.value)


def test_a_misspelt_key_changes_no_score_and_the_key_as_it_is_spelt_does():
    call = BY_NUMBER["10"].steps[2].predict.answer
    config = json.loads((CONFIGS / "config-c.json").read_text(encoding="utf-8"))
    assert call.arguments["config"] == config
    assert compute(call, Document()) is False
    scaling = {name: value for name, value in config["rope_scaling"].items() if name != "attn_factor"}
    spelt = config | {"rope_scaling": scaling | {"attention_factor": 1.0}}
    assert compute(Call(call.name, {"config": spelt, "key": "attention_factor"}), Document()) is True
    with pytest.raises(ValueError, match="this configuration has no key 'attn_factor'"):
        compute(Call(call.name, {"config": spelt, "key": "attn_factor"}), Document())


@pytest.mark.parametrize(
    ("file", "note"),
    [
        ("config-a.json", "the config gives no rope_theta: 10,000 is taken"),
        ("config-c.json", "unknown key 'attn_factor' ignored"),
        ("config-d.json", "but max_position_embeddings is 32,768"),
        ("config-e.json", "9 of 36 layers do not rotate"),
    ],
)
def test_the_reader_has_one_note_on_each_other_file_of_lesson_ten(file, note):
    model = open_model(CONFIGS / file)
    assert [note in each for each in model.notes] == [True]
