"""A button for each group of equal layers of a model, and what these layers do."""

from functools import partial
from typing import ClassVar

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QRadioButton, QVBoxLayout, QWidget
from typing_extensions import override

from posenc_core import Document
from posenc_core.session import LayerGroup, Model
from posenc_gui.docks.card.claim_note import ClaimNote
from posenc_gui.look import GAP, HIT_PX, LABEL_PX, Note, column_of, counted, dress
from posenc_gui.model.card import group_claim, indices_words, layer_words, share_of_layers

_INDENT = 20
"""Pixels from a radio button's left edge to its text."""


class LayerRows(QWidget):
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

    def show_model(self, model: Model) -> None:
        """Replace the rows by those of another model."""
        groups = model.groups
        for row in self._rows:
            row.hide()
            row.deleteLater()
        self._rows = [_Row(model, group) for group in groups[: self.MOST]]
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

    def __init__(self, model: Model, members: LayerGroup) -> None:
        super().__init__()
        self.members, n_layers = members, len(model.layers)
        which, does = share_of_layers(members.indices, n_layers), layer_words(members.layer)
        listed = indices_words(members.indices, n_layers)
        self.button = QRadioButton(f"{which[:1].upper()}{which[1:]}")
        self.button.setMinimumHeight(HIT_PX)
        dress(self.button, LABEL_PX, semibold=True)
        self.button.setAutoExclusive(False)  # none is checked where the encoding was changed
        self.button.setEnabled(members.layer.shown is not None)
        self.button.setAccessibleName(f"{which}{listed and f' ({listed})'}: {does}")
        self.button.setAccessibleDescription(members.layer.sentence)
        self._does, self._why, claim = ClaimNote("ink"), ClaimNote("muted"), group_claim(model, members)
        self._does.show_claim(claim, f"{listed}: {does}" if listed else does)
        if members.layer.sentence:
            self._why.show_claim(claim, members.layer.sentence)
        column = column_of(self, self.button, self._does, self._why)
        column.setSpacing(1)
        for label in (self._does, self._why):
            label.setContentsMargins(_INDENT, 0, 0, 0)

    @override
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(event.position().toPoint()):
            self.button.click()
