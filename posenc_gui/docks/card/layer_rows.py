"""A button for each group of equal layers of a model, and for each part beside the text, with their descriptions."""

from functools import partial
from typing import ClassVar

from msgspec import Struct
from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QRadioButton, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.session import Layer, LayerGroup, Model, ModelPart
from posenc_gui.docks.card.claim_note import ClaimNote
from posenc_gui.look import GAP, HIT_PX, LABEL_PX, Note, column_of, counted, dress
from posenc_gui.model.card import (
    Claim,
    group_claim,
    indices_words,
    layer_words,
    part_claim,
    part_words,
    share_of_layers,
)

_INDENT = 20
"""Pixels from a radio button's left edge to its text."""


class LayerRows(QWidget):
    """A button for each group of equal layers, then one for each part beside the text, such as the vision part.

    ``chosen`` carries the index of the group's first layer; parts are counted after the layers.
    """

    chosen = Signal(int)
    MOST: ClassVar[int] = 64
    """A model with more different layers is cut off, with a note in the last row."""

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[_Row] = []
        self._more = Note("muted")
        self._column = column_of(self, self._more, spacing=GAP // 2)
        self._column.setContentsMargins(0, GAP, 0, 0)

    def show_model(self, model: Model) -> None:
        """Replace the rows by another model's."""
        groups = model.groups
        for row in self._rows:
            row.hide()
            row.deleteLater()
        parts = enumerate(model.parts, start=len(model.layers))
        shown = [_of_group(model, group) for group in groups[: self.MOST]]
        self._rows = [*map(_Row, shown), *(_Row(_of_part(model, index, part)) for index, part in parts)]
        for place, row in enumerate(self._rows):
            row.button.clicked.connect(partial(self._choose, row))
            self._column.insertWidget(place, row)
        left_out = len(groups) - len(shown)
        self._more.show_sentence(f"{counted(left_out)} more groups of layers are not listed." if left_out else "")

    def mark(self, document: Document) -> bool:
        """Mark the first group whose encoding, at the document's length, is the document's; whether there is one."""
        shown = [row for row in self._rows if _is_shown(row.told.layer, document)]
        longest = document.view.longest_distance
        shown.sort(key=lambda row: row.told.layer.longest_distance != longest)
        for row in self._rows:
            row.button.setChecked(row in shown[:1])
        return bool(shown)

    def _choose(self, row: "_Row") -> None:
        row.button.setChecked(True)
        self.chosen.emit(row.told.index)


def _is_shown(layer: Layer, document: Document) -> bool:
    """Whether the document's encoding is the layer's; a scaling that depends on the length has the document's."""
    return layer.shown is not None and document.with_encoding(layer.shown).encoding == document.encoding


class _Told(Struct, frozen=True):
    """The texts of a row: ``which`` layers of the group or part, their indices as ``listed``, and their description."""

    index: int
    layer: Layer
    which: str
    listed: str
    claim: Claim


def _of_group(model: Model, group: LayerGroup) -> _Told:
    count = len(model.layers)
    which, listed = share_of_layers(group.indices, count), indices_words(group.indices, count)
    return _Told(group.indices[0], group.layer, which, listed, group_claim(model, group))


def _of_part(model: Model, index: int, part: ModelPart) -> _Told:
    return _Told(index, part.layer, part_words(part), "", part_claim(model, part))


class _Row(QWidget):
    """A button for layers above their description; disabled if the layers have no encoding to show."""

    def __init__(self, told: _Told) -> None:
        super().__init__()
        self.told = told
        which, listed, layer, does = told.which, told.listed, told.layer, layer_words(told.layer)
        self.button = QRadioButton(f"{which[:1].upper()}{which[1:]}")
        self.button.setMinimumHeight(HIT_PX)
        dress(self.button, LABEL_PX, semibold=True)
        self.button.setAutoExclusive(False)  # none is checked after the encoding was changed
        self.button.setEnabled(layer.shown is not None)
        self.button.setAccessibleName(f"{which}{listed and f' ({listed})'}: {does}")
        self.button.setAccessibleDescription(layer.sentence)
        self._does, self._why = ClaimNote("ink"), ClaimNote("muted")
        self._does.show_claim(told.claim, f"{listed}: {does}" if listed else does)
        if layer.sentence:
            self._why.show_claim(told.claim, layer.sentence)
        column = column_of(self, self.button, self._does, self._why)
        column.setSpacing(1)
        for label in (self._does, self._why):
            label.setContentsMargins(_INDENT, 0, 0, 0)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.button.click()
