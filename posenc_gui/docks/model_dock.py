"""The content of the MODEL dock: what a model's files say about positions, layer by layer."""

import json
from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QRadioButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.fields import SEQ_LEN
from posenc_core.session import LayerGroup, Model
from posenc_gui.docks.share_bar import ShareBar
from posenc_gui.look import (
    GAP,
    HIT_PX,
    LABEL_PX,
    OUTER_MARGIN,
    Note,
    SmallLabel,
    column_of,
    counted,
    dress,
    plain_tip,
    scrolling,
)
from posenc_gui.model import indices_words, layer_words, lengths_words, share_of_layers, shares_words

_NOTHING = "No model is open. Drop a model's config.json, its folder or its .gguf file on the window."


_KEPT = "The panels still show the encoding from before: these files hold no numbers of this model's positions."
_NAME_PX = 15
_CARD_SHARE = 100
"""Share of the card in the room that the buttons leave; without a card, the rest keeps the buttons at the top."""
_INDENT = 20
"""Pixels from a radio button's left edge to its text."""


class ModelDock(QWidget):
    """The card of the model that the document names, and a row for each group of equal layers.

    ``layerChosen`` carries the index of a layer whose encoding is chosen, ``fieldEdited`` the number of positions,
    ``openAsked`` and ``presetsAsked`` come from the buttons below the card, ``tokenizerAsked`` from the button for the
    model's tokenizer.
    """

    layerChosen = Signal(int)
    fieldEdited = Signal(str, object, object)
    openAsked = Signal()
    presetsAsked = Signal()
    tokenizerAsked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document()
        self._soon = QTimer(self, singleShot=True, interval=0)  # the window is painted before engines are compared
        self._soon.timeout.connect(self._show_engines)
        self._name, self._source = Note("ink"), Note("muted")
        dress(self._name, _NAME_PX, semibold=True, role="ink")
        self._warnings = Note("warning")
        self._tokenizer = QPushButton("Use its tokenizer")
        dress(self._tokenizer, LABEL_PX)
        self._tokenizer.setToolTip(plain_tip("Tokenize with the tokenizer.json in the model's folder"))
        self._tokenizer.clicked.connect(self.tokenizerAsked)
        self._lengths = _Lengths()
        self._lengths.lengthChosen.connect(self._choose_length)
        self._shares, self._nothing, self._engines = Note("ink"), Note("ink"), Note("ink")
        self._bar = ShareBar()
        self._rows = _Rows()
        self._rows.chosen.connect(self.layerChosen)
        card = QWidget()
        column = column_of(
            card,
            *(
                self._name,
                self._source,
                self._warnings,
                self._lengths,
                self._engines,
                self._shares,
                self._bar,
                self._rows,
                self._nothing,
                self._tokenizer,
            ),
            margin=OUTER_MARGIN,
        )
        column.setAlignment(self._tokenizer, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(1)
        self._card, self._empty = scrolling(card), Note("muted", self)
        self._empty.show_sentence(_NOTHING)
        self._empty.setContentsMargins(OUTER_MARGIN, GAP, OUTER_MARGIN, 0)
        openers = _Openers()
        openers.open_button.clicked.connect(self.openAsked)
        openers.presets_button.clicked.connect(self.presetsAsked)
        whole = column_of(self, self._card, self._empty, openers)
        whole.setStretch(0, _CARD_SHARE)
        whole.addStretch(1)
        self.show_document(Document())

    def show_document(self, document: Document) -> None:
        """Show the document's model, and mark the layers that have its encoding."""
        changed = document.model != self._document.model
        self._document = document
        model = document.model
        self._card.setVisible(model is not None)
        self._empty.setVisible(model is None)
        if model is None:
            return
        if changed:
            self._show_model(model)
        rotates = any(each.kind == "rotary" for each in model.layers)
        rotary = document.encoding if rotates and document.encoding.rotation is not None else None
        self._shares.show_sentence("" if rotary is None else f"{shares_words(rotary)}.")
        self._bar.show_encoding(rotary)
        self._lengths.show_length(document.seq_len)
        self._rows.mark(document)

    def _show_model(self, model: Model) -> None:
        self._name.show_sentence(model.name)
        kind = f"{model.model_type}, " if model.model_type and model.model_type != model.name else ""
        self._source.show_sentence(f"{kind}from {model.source}")
        self._warnings.show_sentence("\n".join(f"• {note}" for note in model.notes))
        self._tokenizer.setVisible(model.tokenizer is not None)
        self._lengths.show_model(model)
        self._engines.show_sentence("")
        self._soon.start()
        has_encoding = any(group.layer.shown is not None for group in model.groups)
        self._nothing.show_sentence("" if has_encoding else _KEPT)
        self._rows.show_groups(model.groups, len(model.layers))

    def _show_engines(self) -> None:
        """How many engines compute what the model's class does, in one line."""
        model = self._document.model
        if model is None or not model.config:
            return
        from posenc_core.engines import compare_engines  # imported here, after the first paint

        try:
            table = compare_engines(json.loads(model.config), model.target_length or model.trained_length)
        except ValueError:  # a model that does not rotate, or longer than engines are compared at
            return
        self._engines.show_sentence(f"At {counted(table.length)} tokens {table.words} (View, Panels, Engines).")

    def _choose_length(self, length: int) -> None:
        self.fieldEdited.emit(SEQ_LEN.name, length, None)


class _Lengths(QWidget):
    """Both lengths of a model in words, and a button for each that shows as many positions."""

    lengthChosen = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._words = Note("ink")
        self._show = SmallLabel("Show")
        self._buttons = (QPushButton(), QPushButton())
        row = QHBoxLayout()
        row.setSpacing(GAP)
        row.addWidget(self._show)
        for button in self._buttons:
            dress(button, LABEL_PX)
            button.setCheckable(True)
            row.addWidget(button)
        row.addStretch(1)
        column_of(self, self._words).addLayout(row)
        self._lengths: tuple[int, ...] = ()
        for place, button in enumerate(self._buttons):
            button.clicked.connect(partial(self._choose, place))

    def show_model(self, model: Model) -> None:
        """Offer the lengths that the model names."""
        words = lengths_words(model)
        told = f" ({model.lengths_from})" if model.lengths_from else ""
        sentence = f"{words[:1].upper()}{words[1:]}{told}." if words else "The files name no length."
        found = (model.trained_length, model.target_length)
        offered = list(dict.fromkeys(each for each in found if each is not None))
        too_long = max(offered, default=0) > SEQ_LEN.maximum
        most = f" {counted(SEQ_LEN.maximum)} positions can be shown." if too_long else ""
        self._words.show_sentence(sentence + most)
        self._lengths = tuple(min(each, SEQ_LEN.maximum) for each in offered)
        for button in self._buttons:
            button.hide()
        for button, length, shown in zip(self._buttons, offered, self._lengths, strict=False):
            button.setText(counted(shown))
            button.setAccessibleName(f"Show {counted(shown)} of {counted(length)} positions")
            button.setToolTip(plain_tip(f"Set seq_len to {counted(shown)}, a length that the model names"))
            button.show()
        self._show.setVisible(bool(self._lengths))

    def show_length(self, length: int) -> None:
        """Mark the length that is shown."""
        for button, offered in zip(self._buttons, self._lengths, strict=False):
            button.setChecked(offered == length)

    def _choose(self, place: int) -> None:
        self._buttons[place].setChecked(True)
        self.lengthChosen.emit(self._lengths[place])


class _Rows(QWidget):
    """A button for each group of equal layers. ``chosen`` carries the index of the group's first layer."""

    chosen = Signal(int)
    MOST: ClassVar[int] = 64
    """A model with more different layers is cut off, which the last row says."""

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, GAP, 0, 0)
        self._column.setSpacing(GAP // 2)
        self._rows: list[_Row] = []
        self._more = Note("muted")
        self._column.addWidget(self._more)

    def show_groups(self, groups: tuple[LayerGroup, ...], n_layers: int) -> None:
        """Replace the rows by those of other groups."""
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [_Row(group, n_layers) for group in groups[: self.MOST]]
        for place, row in enumerate(self._rows):
            row.button.clicked.connect(partial(self._choose, row))
            self._column.insertWidget(place, row)
        left_out = len(groups) - len(self._rows)
        self._more.show_sentence(f"{counted(left_out)} more groups of layers are not listed." if left_out else "")

    def mark(self, document: Document) -> None:
        """Mark the first group whose encoding is the document's."""
        shown = [row for row in self._rows if row.members.layer.shown == document.encoding]
        longest = document.view.longest_distance
        shown.sort(key=lambda row: row.members.layer.longest_distance != longest)
        for row in self._rows:
            row.button.setChecked(row in shown[:1])

    def _choose(self, row: "_Row") -> None:
        row.button.setChecked(True)
        self.chosen.emit(row.members.indices[0])


class _Row(QWidget):
    """A button for the layers of a group above what they do; disabled if the layers have no encoding to show."""

    def __init__(self, members: LayerGroup, n_layers: int) -> None:
        super().__init__()
        self.members = members
        which, does = share_of_layers(members.indices, n_layers), layer_words(members.layer)
        listed = indices_words(members.indices, n_layers)
        self.button = QRadioButton(f"{which[:1].upper()}{which[1:]}")
        self.button.setMinimumHeight(HIT_PX)
        dress(self.button, LABEL_PX, semibold=True)
        self.button.setAutoExclusive(False)  # none is checked where the encoding was changed
        self.button.setEnabled(members.layer.shown is not None)
        self.button.setAccessibleName(f"{which}{listed and f' ({listed})'}: {does}")
        self.button.setAccessibleDescription(members.layer.sentence)
        self._does, self._why = Note("ink"), Note("muted")
        self._does.show_sentence(f"{listed}: {does}" if listed else does)
        self._why.show_sentence(members.layer.sentence)
        column = column_of(self, self.button, self._does, self._why)
        column.setSpacing(1)
        for label in (self._does, self._why):
            label.setContentsMargins(_INDENT, 0, 0, 0)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.button.click()


class _Openers(QWidget):
    """Buttons that open a model, and list the presets."""

    def __init__(self) -> None:
        super().__init__()
        self.open_button, self.presets_button = QPushButton("Open model…"), QPushButton("Presets…")
        self.open_button.setToolTip(plain_tip("Open a model's folder or file"))
        self.presets_button.setToolTip(plain_tip("List the presets of models and encodings"))
        row = QHBoxLayout(self)
        row.setContentsMargins(OUTER_MARGIN, GAP, OUTER_MARGIN, GAP)
        row.setSpacing(GAP)
        for button in (self.open_button, self.presets_button):
            dress(button, LABEL_PX)
            row.addWidget(button)
        row.addStretch(1)
