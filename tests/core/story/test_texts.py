"""Texts of lessons: no erratum, no praise, only set or computed numbers, and a definition for every term."""

import json
import re
from pathlib import Path

from cases import each_case
from errata import ERRATA, errata_in

from posenc_core.explain import GLOSSARY
from posenc_core.story import compute, filled, names_in, pieces, read_lessons, without_prediction
from posenc_gui.look.typeset import typeset
from posenc_gui.panels import PANELS, WORKSPACES

LESSONS = Path(__file__).parents[3] / "resources" / "lessons"
READ, _ = read_lessons(LESSONS, WORKSPACES, PANELS)
STEPS = [(lesson, number, step) for lesson in READ for number, step in enumerate(lesson.steps)]
EVERY_STEP = each_case("lesson, number, step", STEPS, lambda case: f"{case[0].name}-{case[1]}")

ANYWHERE = {"0", "1", "2", "0.1"}
"""0, 1 and 2 of formulas, and YaRN's 0.1."""

CODE = "{\n"
"""Begins a text that is code, whose lines are indented."""

NAMES = ("GPT-2", "Llama 2", "Llama 3", "bfloat16", "smollm3")

UNSAID = (
    r"\b(great|well done|good job|correct|wrong answer|sorry|congratulations|points|score of \d|excellent|oops)\b",
    r"by and by|whoever|\bnobody\b|there is none|is said so|!|\bjust (?!as)|simply(?! carries)|obviously|of course",
    r"(?<!\d)\.\.|  |\s$",
)
"""Praise, blame and points, words that a manual does not write, and slips of the keyboard."""


def told(step):
    """The step's texts with their numbers filled in."""
    document = step.start.document
    values = {name: compute(call, document) for name, call in (step.numbers or {}).items()}
    values |= {"answer": compute(step.predict.answer, document), "check": compute(step.check.answer, document)}
    return [filled(text, values | {"prediction": 3.5}) for text in step.texts]


@each_case("pattern, sentence", ERRATA.values())
def test_each_pattern_finds_its_erratum(pattern, sentence):
    assert re.search(pattern, sentence)


def test_all_errata_but_three_are_patterns():
    assert set(range(1, 62)) - set(ERRATA) == {13, 47, 55}


@EVERY_STEP
def test_no_text_of_a_lesson_contains_an_erratum(lesson, number, step):
    for text in told(step):
        assert errata_in(text) == [], text


def test_no_word_of_the_glossary_contains_an_erratum_and_each_is_one_plain_sentence():
    for word, sentence in GLOSSARY.items():
        assert errata_in(sentence) == [], word
        assert sentence[0].isupper()
        assert sentence.endswith(".")
        assert ". " not in sentence
        assert len(sentence) <= 120


@EVERY_STEP
def test_texts_are_plain_and_short_and_neither_praise_nor_blame(lesson, number, step):
    for text in (each for each in told(step) if not each.startswith(CODE)):
        for pattern in UNSAID:
            assert not re.search(pattern, text, re.IGNORECASE), (pattern, text)
        assert names_in(text) == ()
    assert 1 <= len(step.text) <= 3
    assert step.title.endswith("?")
    for text in (*step.text, step.gap, step.attempt):
        assert len(text) < 340, text
    is_in_words = step.predict.kind in ("choice", "number")
    assert ("{answer" in step.gap) == ("{prediction}" in step.gap) == is_in_words
    assert step.gap.startswith("You expected") == is_in_words
    assert "{prediction" not in without_prediction(step.gap)
    assert without_prediction(step.gap)[0].isupper()


@EVERY_STEP
def test_each_number_of_a_text_is_computed_or_a_setting_of_its_step(lesson, number, step):
    stored = json.loads((LESSONS / f"{lesson.name}.json").read_text(encoding="utf-8"))["steps"][number]
    settings = ANYWHERE | set(
        re.findall(r"\d+\.?\d*", json.dumps([step.start.document.to_dict(), *settings_of(stored)]))
    )
    settings |= {setting.removesuffix(".0") for setting in settings}
    free = {step.attempt, *step.predict.choices, *step.check.choices}  # what else to set, and what may be thought
    for text in (each for each in step.texts if each not in free):
        for name in NAMES:
            text = text.replace(name, "")
        plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", re.sub(r"\{\w+(:[^{}]*)?\}", "", text))
        literal = re.findall(r"(?<![\w.:])\d+(?:\.\d+)?", plain)
        assert set(literal) <= settings, text


def settings_of(stored):
    """Settings of a step's file beside its document."""
    calls = [stored["predict"]["answer"], stored["check"]["answer"], *stored.get("numbers", {}).values()]
    config = stored["start"].get("config")
    model = json.loads((LESSONS / "configs" / config).read_text(encoding="utf-8")) if config else None
    return [stored["predict"].get("reveal"), [call.get("arguments") for call in calls], model]


@EVERY_STEP
def test_simulated_numbers_are_called_simulated_or_random(lesson, number, step):
    fields = {**step.predict.reveal, **step.start.document.encoding.parameters()}
    if "simulated" in step.predict.reveal.values() or fields.get("weights") == "untrained":
        assert re.search("simulated|random|untrained", " ".join(step.text))


@EVERY_STEP
def test_formulas_are_typeset_and_marked_words_have_a_meaning(lesson, number, step):
    for text in step.texts:
        for piece in pieces(text):
            if piece.kind == "formula":
                assert typeset(piece.text, 16, "#000000").width > 0
            elif piece.kind == "term":
                assert piece.word in GLOSSARY
            else:
                assert not set(piece.text) & set("$[]\\")
