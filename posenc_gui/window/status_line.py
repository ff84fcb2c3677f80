"""The status line: the cell at the cursor, the size of the table, and the time that the last picture took."""

from time import perf_counter

import numpy as np
from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtWidgets import QStatusBar, QWidget
from typing_extensions import override

from posenc_core import Document, Encoding
from posenc_gui import model
from posenc_gui.figures import Panel
from posenc_gui.look import (
    FitsText,
    PlainLabel,
    Shelf,
    as_read,
    glossary_lines,
    plain_tip,
    significant,
    wavelength_text,
)
from posenc_gui.model import (
    Cursor,
    PositionAxis,
    angle_words,
    column_facts_words,
    column_words,
    n_components,
    position_words,
    seen_by,
    token_pair,
    token_words,
    wavelength_unit,
)

_SEPARATOR = "  |  "
_TIME = "frame {:.1f} ms"
_TIME_EVERY_MS = 150
_TOLD_MS = 8000


class StatusLine(FitsText, QStatusBar):
    """Describes the cell at the cursor on the left; shows size and time on the right."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._document = Document.initial()
        self._cursor: Cursor | None = None
        self._cell, self._size, self._time = PlainLabel(), PlainLabel(), PlainLabel()
        self._cell.setToolTip(plain_tip(glossary_lines("column", "pair", "wavelength")))
        self._size.setToolTip(plain_tip("Positions × columns of the table"))
        self._time.setToolTip(plain_tip("Time from the last change until all panels are painted"))
        self._time.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._milliseconds = 0.0
        # Not with every picture: the text would change too fast to read, and each change would cost a painting.
        self._later = QTimer(self, interval=_TIME_EVERY_MS, singleShot=True)
        self._later.timeout.connect(self._show_time)
        self.setSizeGripEnabled(False)
        self.addWidget(Shelf(self._cell, is_cut=True), 1)  # before the time
        self.addPermanentWidget(self._size)
        self.addPermanentWidget(self._time)
        self.setContentsMargins(8, 0, 8, 0)
        self.fit_text()

    @override
    def fit_text(self) -> None:
        # A fixed size: otherwise every new time would lay out the whole window.
        metrics = self.fontMetrics()
        self._time.setFixedSize(metrics.horizontalAdvance(_TIME.format(10_000.0)), metrics.height())

    def show_frame_time(self, shown: bool) -> None:
        """Show or hide the time that the last picture took."""
        self._time.setVisible(shown)

    def tell(self, sentence: str) -> None:
        """Show a sentence about the last action in place of the cell, for some seconds."""
        self.showMessage(sentence, _TOLD_MS)

    def show_document(self, document: Document) -> None:
        """Show the size of the document's table and describe the cell again."""
        self._document = document
        self._size.setText(f"{len(PositionAxis.of(document).shown):,} × {document.encoding.n_columns:,}")
        self._show()

    def show_cursor(self, cursor: Cursor | None) -> None:
        """Describe this cell."""
        self._cursor = cursor
        self._show()

    def show_time(self, milliseconds: float) -> None:
        """Show how long the last change took until it was painted, after a short delay."""
        self._milliseconds = milliseconds
        if not self._later.isActive():
            self._later.start()

    def _show_time(self) -> None:
        self._time.setText(_TIME.format(self._milliseconds))

    @property
    def sentence(self) -> str:
        """The sentence about the cell at the cursor, for reading aloud."""
        return "" if self._cursor is None else ", ".join(cell_words(self._document, self._cursor))

    def _show(self) -> None:
        cursor = self._cursor
        self._cell.setText("" if cursor is None else _SEPARATOR.join(cell_words(self._document, cursor)))


class FrameTime(QObject):
    """Measures the time from a change until every visible panel has painted it; ``measured`` carries milliseconds."""

    measured = Signal(float)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._panels: list[Panel] = []
        self._waiting: set[Panel] = set()
        self._started = 0.0

    def watch(self, panel: Panel) -> None:
        """Wait for this panel too, while it is visible."""
        self._panels.append(panel)
        panel.painted.connect(self._painted)

    def start(self) -> None:
        """Start the measurement; a change that is not painted yet keeps its earlier start."""
        if not self._waiting:
            self._started = perf_counter()
        self._waiting = {panel for panel in self._panels if panel.isVisible()}

    def _painted(self, panel: Panel) -> None:
        if panel in self._waiting:
            self._waiting.discard(panel)
            if not self._waiting:
                self.measured.emit(1000 * (perf_counter() - self._started))


def cell_words(document: Document, cursor: Cursor) -> list[str]:
    """The cell at the cursor as phrases: position and token, column and pair, value or why it has none, wavelength."""
    document = seen_by(document, cursor)
    axis = PositionAxis.of(document, cursor)
    if not 0 <= cursor.column < n_components(document):
        return []
    cells = document.encoding.cells
    is_patch = cells is not None and cells.grid.indices(cursor.position) is not None
    token = "" if is_patch else token_words(document, axis, cursor.position)
    place = (" " if axis.query is None else " · ").join(filter(None, (position_words(axis, cursor.position), token)))
    held = ["held (Esc releases)"] if cursor.pinned else []
    pair = token_pair(document, cursor)
    if pair is not None:
        return [*model.pair_words(document, pair), *held]
    patch = cells.words(cursor.position) if cells is not None and document.encoding.has_value(cursor.position) else ""
    return list(filter(None, [place, as_read(patch), *_column_words(document, cursor), *held]))


def _column_words(document: Document, cursor: Cursor) -> list[str]:
    """The column with its value (or its pair's angle, if the heatmap shows angles) and its wavelength.

    A component beyond the table's columns is unchanged.
    """
    encoding = document.encoding
    named = column_words(encoding, cursor.column)
    if cursor.column >= encoding.n_columns:
        return [named, "passes through"]
    facts = encoding.column_info(cursor.column)
    value = angle_words(document, cursor) or _value(encoding, cursor)
    words = [" ".join(filter(None, (named, column_facts_words(facts, cursor.column)))), value]
    if facts.wavelength is not None:
        words.append(f"wavelength {wavelength_text(facts.wavelength)} {wavelength_unit(encoding)}")
    return words


def _value(encoding: Encoding, cursor: Cursor) -> str:
    if not encoding.has_value(cursor.position):
        return encoding.no_value(cursor.position)
    return significant(float(encoding.values(np.array([cursor.position]), np.array([cursor.column]))[0, 0]), 7)
