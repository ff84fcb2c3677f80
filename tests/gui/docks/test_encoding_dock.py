import itertools
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest
from families import DEFAULTS, SCALED
from pixels import settle
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QLineEdit, QPlainTextEdit, QScrollArea, QSlider, QWidget

from posenc_core import ENCODINGS, Document, Embedding, Sinusoidal
from posenc_core.encodings import group_of
from posenc_core.fields import D_MODEL, SEQ_LEN
from posenc_core.rope_scaling import SCALINGS
from posenc_core.session import FAMILY
from posenc_core.text import TOKENS
from posenc_core.text.embedding import SCALE_BY_SQRT_D
from posenc_gui.docks.editors.editor_base import FieldEditor
from posenc_gui.docks.editors.form import EMBEDDING_TAKEN, FieldForm, letter_of, with_own_letters
from posenc_gui.docks.embedding_form import EmbeddingForm
from posenc_gui.docks.encoding_dock import EncodingDock
from posenc_gui.look.controls import OUTER_MARGIN, Note
from posenc_gui.look.style import DARK, LIGHT, load_fonts
from posenc_gui.look.theme import apply_style
from posenc_gui.window.actions import MENUS


@dataclass(frozen=True)
class Plain(Sinusoidal):
    """Another family, with one parameter alone."""

    d_model: int = 8
    title: ClassVar[str] = "Plain"
    summary: ClassVar[str] = "Nothing to choose."
    FIELDS: ClassVar = (D_MODEL,)


def opened(qtbot, dock, width=280, height=500):
    load_fonts()
    qtbot.addWidget(dock)
    dock.resize(width, height)
    dock.show()
    qtbot.waitExposed(dock)
    dock.activateWindow()
    qtbot.waitUntil(dock.isActiveWindow)
    return dock


def sent_by(dock):
    sent = []
    dock.fieldEdited.connect(lambda *edit: sent.append(edit))
    return sent


def control(dock, name):
    (found,) = [w for w in dock.findChildren(QWidget) if w.accessibleName() == name and w.isVisibleTo(dock)]
    return found


def sentences(dock):
    return [note.sentence for note in dock.findChildren(Note) if note.isVisible() and note.sentence]


@pytest.fixture
def dock(qtbot):
    dock = opened(qtbot, EncodingDock())
    dock.show_document(Document())
    return dock


def test_the_dock_shows_the_family_its_summary_and_its_parameters(dock):
    assert control(dock, "family").currentText() == "Sinusoidal, 2017"
    assert sentences(dock) == [Sinusoidal.summary]
    for name, text in (("d_model", "8"), ("offset", "0"), ("seq_len", "60")):
        assert control(dock, name).text() == text
    assert control(dock, "base").text() == "10,000"


def test_an_edit_carries_the_fields_name(dock):
    sent = sent_by(dock)
    spin = control(dock, "seq_len")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "128\r")
    assert sent == [("seq_len", 128, None)]


def test_surprising_parameters_are_explained(dock):
    dock.show_document(Document(encoding=Sinusoidal(7, base=0.5)))
    _, warnings = sentences(dock)
    assert "base = 0.5 is below 1" in warnings
    assert "d_model = 7 is odd" in warnings
    dock.show_document(Document())
    assert len(sentences(dock)) == 1


def test_another_document_of_the_same_family_keeps_the_editors_and_what_is_typed(dock):
    spin = control(dock, "d_model")
    spin.setFocus()
    spin.selectAll()
    QTest.keyClicks(spin, "12")
    dock.show_document(Document(seq_len=70, sentence="other"))
    assert control(dock, "d_model") is spin
    assert spin.text() == "12"


def test_another_family_brings_its_own_form_and_the_old_one_goes(dock, qtbot):
    sent = sent_by(dock)
    old = control(dock, "base")
    with qtbot.waitSignal(old.destroyed):
        dock.show_document(Document(encoding=Plain(16)))
    assert sentences(dock) == [Plain.summary]
    assert control(dock, "d_model").text() == "16"
    assert control(dock, "seq_len").text() == "60"
    assert not [label for label in dock.findChildren(QLabel) if label.text() == "&base"]
    assert sent == []


@pytest.mark.parametrize("width", [220, 260, 320])
def test_nothing_is_clipped_at_dock_width_even_with_errors(qtbot, width):
    dock = opened(qtbot, EncodingDock(), width, 900)
    dock.show_document(Document(encoding=Sinusoidal(9, base=0.5)))
    for name in ("d_model", "base"):
        line = control(dock, name)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, "x" * 60 + "\r")
    assert len(sentences(dock)) == 4
    content = dock.findChild(QScrollArea).widget()
    assert content.width() == dock.width()
    for part in content.findChildren(QWidget):
        if part.isVisible() and part.parentWidget().parentWidget() is content:
            left = part.mapTo(content, QPoint(0, 0)).x()
            assert left >= OUTER_MARGIN
            assert left + part.width() <= content.width() - OUTER_MARGIN
    for note in dock.findChildren(Note):
        if note.isVisible():
            assert note.height() >= note.heightForWidth(note.width())
            assert note.minimumSizeHint().width() <= note.width()


def test_labels_and_editors_stand_in_two_columns(dock):
    def left(widget):
        return widget.mapTo(dock, QPoint(0, 0)).x()

    editors = [control(dock, name) for name in ("family", "d_model", "layout", "spacing", "offset", "seq_len")]
    assert len({left(editor) for editor in editors}) == 1
    labels = [label for label in dock.findChildren(QLabel) if label.buddy() in editors and label.isVisible()]
    assert len(labels) == len(editors)
    assert {left(label) for label in labels} == {OUTER_MARGIN}


def test_a_low_dock_scrolls_to_what_has_the_focus(qtbot):
    dock = opened(qtbot, EncodingDock(), 240, 120)
    dock.show_document(Document())
    spin = control(dock, "seq_len")
    control(dock, "offset").setFocus()
    QTest.keyClick(control(dock, "offset"), Qt.Key.Key_Tab)
    assert spin.hasFocus()
    assert dock.rect().contains(spin.mapTo(dock, spin.rect().center()))


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_its_colours_are_the_styles(dock, style):
    apply_style(style)
    settle()
    picture = dock.grab().toImage()
    colours = {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}
    assert {style.ground, style.field, style.ink, style.muted} <= colours
    assert picture.pixelColor(2, 2).name() == style.ground


EVERY = pytest.mark.parametrize("document", (DEFAULTS | SCALED).values(), ids=(DEFAULTS | SCALED).keys())


def words(text):
    return text.replace("&", "")


@EVERY
def test_every_family_gets_exactly_its_parameters_with_bounds_and_help(dock, document):
    dock.show_document(document)
    fields = {field.name: field for field in document.encoding.fields} | {"seq_len": SEQ_LEN}
    forms = [form for form in dock.findChildren(FieldForm) if form.isVisible()]
    editors = [editor for form in forms for editor in form.findChildren(FieldEditor)]
    assert [editor.field.name for editor in editors if editor.field.name != "family"] == [
        *(name for name in fields if name != "seq_len"), "seq_len"
    ]  # fmt: skip
    for editor in editors:
        field = fields.get(editor.field.name, FAMILY)
        named = control(dock, words(field.label))
        assert editor.isAncestorOf(named)
        assert field.help in named.accessibleDescription()
        assert " ".join(field.tool_tip.split()) in " ".join(named.toolTip().split())
        assert field.unit in named.toolTip()
    for field in fields.values():
        shown = control(dock, words(field.label))
        value = document.value(field.name)
        if isinstance(shown, QCheckBox):
            assert shown.isChecked() == value
        elif isinstance(shown, QComboBox):
            assert shown.value() == field.format(value)
        else:
            text = shown.toPlainText() if isinstance(shown, QPlainTextEdit) else shown.text()
            assert field.parse(text) == value
    assert sentences(dock)[0] == document.encoding.summary
    assert "\n\n".join(document.encoding.warnings) in [*sentences(dock), ""]


@pytest.mark.parametrize(("scaling", "field", "synonyms"), [
    ("linear", "factor", ("L′/L (papers)", "1/rope_freq_scale (llama.cpp)")),
    ("ntk", "factor", ("alpha (exllama)",)),
    ("yarn", "original_max_position_embeddings", ("L (papers)", "yarn_orig_ctx (llama.cpp)")),
    ("yarn", "beta_fast", ("β (YaRN paper)",)),
    ("yarn", "beta_slow", ("α (YaRN paper)",)),
])  # fmt: skip
def test_tool_tips_of_a_scaling_name_what_papers_and_engines_call_its_parameters(dock, scaling, field, synonyms):
    dock.show_document(Document().edited("family", "rotary").edited("scaling", scaling))
    tip = " ".join(control(dock, field).toolTip().split())
    assert all(synonym in tip.partition("Also called: ")[2] for synonym in synonyms), tip


@EVERY
def test_every_letter_leads_to_one_place_in_every_family(dock, document):
    dock.show_document(document)
    labels = [part.text() for part in dock.findChildren(QLabel) if part.buddy() and part.isVisible()]
    labels += [box.text() for box in dock.findChildren(QCheckBox) if box.isVisible()]
    embedding = with_own_letters([f.label for f in Embedding.FIELDS], EMBEDDING_TAKEN)
    elsewhere = [*MENUS, TOKENS.label, *embedding]
    letters = [letter for letter in map(letter_of, [*labels, *elsewhere]) if letter]
    assert len(letters) == len(set(letters))
    assert len(letters) >= len(elsewhere) + len(labels) - 7


@EVERY
@pytest.mark.parametrize(("width", "height"), [(220, 900), (205, 200), (260, 200)])
def test_no_familys_form_is_clipped(qtbot, document, width, height):
    dock = opened(qtbot, EncodingDock(), width, height)
    dock.show_document(document)
    content = dock.findChild(QScrollArea).widget()
    assert content.width() <= dock.findChild(QScrollArea).viewport().width()  # a scroll bar takes room, too
    for part in content.findChildren(QWidget):
        if part.isVisible() and part.parentWidget().parentWidget() is content:
            left = part.mapTo(content, QPoint(0, 0)).x()
            assert left >= OUTER_MARGIN
            assert left + part.width() <= content.width() - OUTER_MARGIN
            if isinstance(part, QLabel) and part.buddy():
                assert part.width() >= part.sizeHint().width()


@pytest.mark.parametrize("width", [190, 205, 280, 320])
def test_a_slider_is_beside_its_label_or_below_it(qtbot, width):
    dock = opened(qtbot, EncodingDock(), width, 300)
    dock.show_document(SCALED["rotary yarn"])
    sliders = dock.findChildren(QSlider)
    assert [slider.isVisible() for slider in sliders] == [True] * 4
    assert all(slider.width() >= 32 for slider in sliders)
    line, label = (
        control(dock, "rope_theta"),
        next(each for each in dock.findChildren(QLabel) if "theta" in each.text()),
    )
    assert line.width() > line.fontMetrics().horizontalAdvance("10,000,000")
    is_below = line.mapTo(dock, QPoint(0, 0)).y() > label.mapTo(dock, QPoint(0, 0)).y() + label.height()
    assert is_below == (width < 280)


class Followed:
    """A dock that shows what it sends, as the program does."""

    def __init__(self, dock, document):
        self.dock, self.document, self.edits = dock, document, []
        dock.show_document(document)
        dock.fieldEdited.connect(self.receive)

    def receive(self, name, value, gesture):
        try:
            self.document = self.document.edited(name, value)
        except (TypeError, ValueError) as error:
            self.dock.show_refusal(name, value, str(error))
        else:
            self.edits.append((name, value))
            self.dock.show_document(self.document)

    def press(self, name, *keys):
        control(self.dock, name).setFocus()
        for key in keys:
            QTest.keyClick(self.dock.window().focusWidget(), key)

    def type(self, name, text):
        line = control(self.dock, name)
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)


def test_arrow_keys_step_through_the_families(dock):
    followed = Followed(dock, DEFAULTS[next(iter(ENCODINGS))])
    followed.press("family", *[Qt.Key.Key_Down] * (len(ENCODINGS) - 1))
    walked = [name for _, name in followed.edits]
    assert [("family", name) for name in walked] == followed.edits
    assert sorted(walked) == sorted(list(ENCODINGS)[1:])
    groups = [group_of(ENCODINGS[name]) for name in walked]
    assert sum(one != other for one, other in itertools.pairwise(groups)) == len(set(groups)) - 1
    rotating = [name for name, kind in ENCODINGS.items() if group_of(kind) == "rotating"]
    assert [name for name in walked if name in rotating] == rotating
    assert control(dock, "family").hasFocus()


def test_arrow_keys_step_through_the_scalings(dock):
    followed = Followed(dock, DEFAULTS["rotary"])
    followed.press("scaling", *[Qt.Key.Key_Down] * len(SCALINGS), *[Qt.Key.Key_Up] * 2)
    down, up = list(SCALINGS), list(SCALINGS)[-2:-4:-1]
    assert followed.edits == [("scaling", name) for name in (*down, *up)]
    assert control(dock, "scaling").hasFocus()
    assert not [editor for editor in dock.findChildren(FieldEditor) if editor.isVisible() and editor.is_wrong]


def test_a_direction_is_chosen_and_the_rotated_columns_where_some_are_not(dock):
    followed = Followed(dock, DEFAULTS["rotary"])
    shown = [field.name for field in followed.document.fields]
    assert "direction" in shown
    assert "rotary_part" not in shown
    followed.press("direction", Qt.Key.Key_Down)
    followed.type("rotary_dim", "64")
    followed.press("rotary_part", Qt.Key.Key_Down)
    assert followed.edits == [("direction", -1), ("rotary_dim", 64), ("rotary_part", "trailing")]
    assert (followed.document.encoding.direction, followed.document.encoding.first_column) == (-1, 64)
    assert any(sentence.startswith("the last 64 of a head's 128 columns") for sentence in sentences(dock))
    followed.press("direction", Qt.Key.Key_Up)
    assert followed.document.encoding.direction == 1


def test_the_slider_keeps_the_keyboard_where_another_form_has_it_too(dock):
    dock.show_document(SCALED["rotary linear"])
    control(dock, "factor slider").setFocus()
    dock.show_document(SCALED["rotary yarn"])
    assert control(dock, "factor slider").hasFocus()
    dock.show_document(DEFAULTS["rotary"])  # no factor here: somebody else has it, and nothing is sent
    dock.show_document(SCALED["rotary ntk"])


def test_the_form_is_built_anew_only_for_other_fields(dock):
    dock.show_document(SCALED["rotary yarn"])
    before = control(dock, "factor")
    dock.show_document(SCALED["rotary yarn"].edited("factor", 9.0).edited("head_dim", 64))
    assert control(dock, "factor") is before
    assert before.text() == "9"


def test_a_half_typed_value_is_not_sent_by_a_form_that_is_replaced(dock):
    dock.show_document(SCALED["rotary yarn"])
    sent = sent_by(dock)
    line = control(dock, "beta_fast")
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "40")
    dock.show_document(DEFAULTS["t5"])
    assert sent == []


REFUSED = [
    ("rotary yarn", "beta_fast", "0.5", "beta_fast (0.5) must be greater than beta_slow (1)"),
    ("rotary yarn", "factor", "0.5", "factor must be a finite number >= 1, got 0.5"),
    ("rotary yarn", "mscale", "-1", "mscale must be a finite number >= 0, got -1"),
    (
        "rotary yarn",
        "original_max_position_embeddings",
        "6",
        "original_max_position_embeddings (6) is shorter than one turn",
    ),
    ("rotary yarn", "rope_theta", "1", "YaRN needs a base (rope_theta) > 1"),
    ("rotary ntk", "head_dim", "2", "NTK scaling needs a rotary dimension >= 4"),
    (
        "rotary llama3",
        "original_max_position_embeddings",
        "0",
        "original_max_position_embeddings must be an integer >= 1, got 0",
    ),
    ("rotary longrope", "head_dim", "64", "short_factor must list rotary_dim/2 = 32 numbers, got 64"),
    ("rotary longrope", "long_factor", "1, 2", "long_factor must list rotary_dim/2 = 64 numbers, got 2"),
    ("rotary freq_scale", "freq_scale", "0", "rope_freq_scale must be > 0, got 0"),
    ("rotary proportional", "partial_rotary_factor", "1.5", "partial_rotary_factor must be in (0, 1], got 1.5"),
    ("rotary", "rotary_dim", "7", "RoPE rotates pairs: rotary dimension must be even, got 7"),
    ("rotary", "head_dim", "7", "RoPE rotates pairs: rotary dimension must be even, got 7"),
    ("transformer_xl", "d", "7", "d must be even to form sin/cos pairs, got 7"),
    ("transformer_xl", "clamp_len", "0", "clamp_len must be an integer >= 1, got 0"),
    ("t5", "max_distance", "8", "max_distance"),
    ("binary", "n_bits", "54", "n_bits must be an integer <= 53, got 54"),
    ("alibi", "n_heads", "0", "n_heads must be an integer >= 1, got 0"),
    ("shaw", "clip", "-1", "clip distance k must be an integer >= 0, got -1"),
]


@pytest.mark.parametrize(("start", "name", "text", "sentence"), REFUSED, ids=lambda part: str(part)[:24])
def test_a_refusal_of_the_document_is_shown_under_the_field(dock, start, name, text, sentence):
    followed = Followed(dock, (DEFAULTS | SCALED)[start])
    followed.type(name, text)
    assert followed.edits == []
    (error,) = [editor.message for editor in dock.findChildren(FieldEditor) if editor.message.sentence]
    assert error.sentence.startswith(sentence)
    assert error.isVisible()
    shown = control(dock, name)
    settle()
    assert error.mapTo(dock, QPoint()).y() >= shown.mapTo(dock, shown.rect().bottomLeft()).y()
    QTest.keyClick(shown, Qt.Key.Key_Escape)
    assert not error.sentence


def test_a_scaling_that_is_refused_is_explained_and_the_next_one_can_be_chosen(dock):
    followed = Followed(dock, DEFAULTS["rotary"].edited("head_dim", 2))
    followed.press("scaling", Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Down)
    assert followed.edits == [("scaling", "freq_scale"), ("scaling", "linear")]
    assert [s for s in sentences(dock) if s.startswith("NTK scaling needs a rotary dimension >= 4")]
    assert control(dock, "scaling").hasFocus()


def test_sliders_of_shares_and_floors_move_their_numbers(dock):
    followed = Followed(dock, SCALED["rotary linear"])
    followed.press("factor slider", Qt.Key.Key_Home, Qt.Key.Key_End)
    followed = Followed(dock, SCALED["rotary freq_scale"])
    followed.press("freq_scale slider", Qt.Key.Key_Home)
    assert followed.edits == [("freq_scale", 0.01)]


def test_the_number_of_positions_is_one_field_whatever_the_family_says(dock):
    followed = Followed(dock, SCALED["rotary dynamic"])
    followed.type("seq_len", "9000")
    assert followed.document.encoding.parameters()["seq_len"] == followed.document.seq_len == 9000


@pytest.fixture
def embedding(qtbot):
    dock = opened(qtbot, EmbeddingForm())
    dock.show_document(Document())
    return dock


SCALE = SCALE_BY_SQRT_D.label.replace("&", "")


def test_without_an_embedding_there_is_nothing_to_draw_or_scale(embedding):
    assert not control(embedding, "seed").isEnabled()
    assert not control(embedding, SCALE).isEnabled()
    assert sentences(embedding) == []


@pytest.mark.parametrize("family", [name for name, kind in ENCODINGS.items() if kind.relative])
def test_nothing_is_added_to_tokens_by_families_of_distances(embedding, family):
    embedding.show_document(replace(DEFAULTS[family], embedding=Embedding("simulated")))
    (sentence,) = sentences(embedding)
    assert sentence.startswith("This family acts on attention scores alone: tokens have no vectors here")
    for editor in embedding.findChildren(FieldEditor):
        assert not editor.isEnabled()
    embedding.show_document(Document(embedding=Embedding("simulated")))
    assert control(embedding, "seed").isEnabled()


def test_a_rotation_turns_queries_and_keys(embedding):
    embedding.show_document(replace(DEFAULTS["rotary"], embedding=Embedding("simulated", seed=3)))
    (sentence,) = sentences(embedding)
    assert sentence == (
        "The vector is a query or a key, which is rotated by its position.\nRandom (seed 3), not from a model"
    )
    assert control(embedding, "seed").isEnabled()


def test_numbers_of_ones_own_are_typed(embedding):
    followed = Followed(embedding, Document(embedding=Embedding("typed")))
    followed.type("vector", "1, -2 0.5")
    assert followed.edits == [("vector", (1.0, -2.0, 0.5))]
    followed.type("vector", "1, x")
    assert "vector[1]" in sentences(embedding)[0]


def test_drawn_numbers_are_called_that(embedding):
    embedding.show_document(Document(embedding=Embedding("simulated", seed=3)))
    assert sentences(embedding) == ["Random (seed 3), not from a model"]
    assert control(embedding, "seed").isEnabled()
    assert control(embedding, SCALE).isEnabled()


def test_the_embedding_is_edited(embedding):
    sent = sent_by(embedding)
    combo = embedding.findChild(QComboBox)
    combo.setFocus()
    QTest.keyClick(combo, Qt.Key.Key_Down)
    embedding.show_document(Document(embedding=Embedding("simulated")))
    seed = control(embedding, "seed")
    seed.setFocus()
    QTest.keyClick(seed, Qt.Key.Key_Up)
    QTest.keyClick(control(embedding, SCALE), Qt.Key.Key_Space)
    assert [edit[:2] for edit in sent] == [("embedding", "simulated"), ("seed", 1), ("scale_by_sqrt_d", True)]


def test_a_wrong_seed_is_explained(embedding):
    sent = sent_by(embedding)
    embedding.show_document(Document(embedding=Embedding("simulated")))
    seed = control(embedding, "seed")
    seed.setFocus()
    seed.selectAll()
    QTest.keyClicks(seed, "-1\r")
    assert sentences(embedding)[0] == "seed must be an integer >= 0, got -1"
    assert seed.findChild(QLineEdit).text() == "-1"
    assert sent == []


def closed_texts(dock):
    """The text of each combo box while it is closed, as far as it is not cut off."""
    combos = [combo for combo in dock.findChildren(QComboBox) if combo.isVisible()]
    return {combo.accessibleName(): combo.currentData()[1] for combo in combos if combo.width() >= combo.needed_width()}


@pytest.mark.parametrize("width", [214, 264, 400])
def test_closed_boxes_say_what_a_value_means_in_full_at_any_width(dock, width):
    dock.show_document(DEFAULTS["rotary"])
    dock.resize(width, 700)
    settle()
    texts = closed_texts(dock)
    assert (texts["pairing"], texts["direction"]) == ("half-split (Llama, Qwen)", "1 (RoFormer)")
    dock.show_document(DEFAULTS["sinusoidal"])
    settle()
    assert closed_texts(dock)["layout"] == "interleaved (paper)"


def test_a_long_name_is_broken_after_its_underscores(dock):
    dock.show_document(SCALED["rotary yarn"])
    labels = [label.text().replace("&", "") for label in dock.findChildren(QLabel) if label.isVisible()]
    assert "original_max_\nposition_\nembeddings" in labels
    assert {"attention_factor", "beta_fast", "beta_slow", "mscale_all_dim"} <= set(labels)
