"""Numbers as people read them: separated thousands and true minus signs in captions, notes, titles and cards."""

import re

import pytest
from amounts import some
from cases import each_case
from panel_bench import shown

from posenc_gui.export.names import caption, drawn_lengths
from posenc_gui.files.presets import preset, preset_names, preset_title
from posenc_gui.model.card import layer_words, lengths_words
from posenc_gui.panels import spec_of, suitable_panels

UNWRITTEN = re.compile(r"(?<![\w.,/·-])\d{5,}(?!\w)|(?<![\w)])-\d|\de-\d")
"""Five digits and more in a row, a hyphen for a minus sign, and an exponent with one."""

FORMULAS = "formula-"
"""Presets whose captions quote a formula as it was typed."""

SLOW = ("gallery", "scorecard", "precision", "engines")
"""Panels with tables of their own, which no note repeats."""


def unwritten(text):
    return [text[max(0, found.start() - 20) : found.end() + 10] for found in UNWRITTEN.finditer(text)]


@pytest.mark.parametrize(
    ("text", "count"), [("base 10000000", 1), ("10,000,000", 0), ("-3", 1), ("1e-16", 1), ("2–3", 0)]
)
def test_the_rule_finds_what_it_is_for(text, count):
    assert len(unwritten(text)) == count


@each_case("name", preset_names())
def test_titles_and_captions_write_numbers_for_people(name):
    document = preset(name)
    assert not unwritten(preset_title(name))
    if not name.startswith(FORMULAS):
        assert not unwritten(caption(document, drawn=drawn_lengths(document, spec_of("unseen"), (-0.5, 12_345.6))))


@each_case("name", preset_names())
def test_the_card_of_a_model_writes_numbers_for_people(name):
    model = preset(name).model
    if model is not None:
        words = [lengths_words(model), *(layer_words(group.layer) for group in model.groups)]
        assert not [found for text in words for found in unwritten(text)]


@pytest.mark.parametrize("name", some(preset_names(), "llama-3.1-8b", "rerope"))
def test_the_note_of_every_panel_writes_numbers_for_people(qtbot, name):
    document = preset(name)
    for panel_name in suitable_panels(document):
        if panel_name not in SLOW:
            pointing = shown(qtbot, panel_name, document).figure.pointing
            assert not unwritten(f"{pointing.note()} {pointing.subtitle()}"), panel_name
