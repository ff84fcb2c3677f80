"""The choices of the export dialog: folder, panels, formats, and how pictures look."""

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QGridLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)

from posenc_gui.export.dialog.size_choice import SizeChoice
from posenc_gui.export.grid import USUAL_PAGE, Grid
from posenc_gui.export.names import PICTURE_FORMATS
from posenc_gui.export.numbers import NUMBER_FORMATS
from posenc_gui.export.page import DPI_AT_SCALE_1, PictureOptions
from posenc_gui.look import GAP, SmallLabel, describe, dress, grid_of, plain_tip, present_style, row_of
from posenc_gui.panels import PANELS

# Values of the lists with their labels.
_SCALES: tuple[tuple[tuple[float, float | None], str], ...] = (
    ((1.0, None), "1×, as on the screen"),
    ((2.0, None), "2×"),
    ((4.0, None), "4×"),
    ((8.0, None), "8×"),
    ((1.0, 150.0), "150 dpi"),
    ((1.0, 300.0), "300 dpi, for print"),
    ((1.0, 600.0), "600 dpi"),
)
_FIRST_SCALE, _PAPER_SCALE = 1, 5
_THEMES = (("light", "Light"), ("dark", "Dark"))
_BACKGROUNDS = (("theme", "As the theme"), ("white", "White"), ("transparent", "Transparent"))

_BELOW, _IN_A_FILE, _NONE = "below", "file", "off"
_CAPTIONS = ((_BELOW, "Below the picture"), (_IN_A_FILE, "As a .txt file"), (_NONE, "None"))

_LAYOUTS = (
    ("", "A file per panel"),
    ("row", "One figure, in a row"),
    ("column", "One figure, in a column"),
    ("square", "One figure, in rows"),
)

_FORMAT_LABELS = {"png": "&PNG", "svg": "&SVG", "pdf": "P&DF", "csv": "&CSV", "npy": "&NPY", "npz": "NP&Z"}
_FORMAT_TIPS = {
    "png": "Pixels. The file contains the session; drop it on the window to restore the settings.",
    "svg": "Shapes, sharp at every size, with selectable text; for the web and for drawing programs.",
    "pdf": "Shapes, sharp at every size, with embedded fonts; for papers.",
    "csv": "Every number in full precision, with a header row; for spreadsheets.",
    "npy": "Only the encoding, float32, tokens × columns; for numpy.load.",
    "npz": "Tokens, positions and encoding; with an embedding also the embedding and its sum or rotation; "
    "the query from which distances are counted; the parameters as JSON.",
}
_TICKED = ("png",)
_TAKEN_LETTERS = "abcdefgilmnoprsvxz"
"""The mnemonics of the other controls in the dialog; panels get the remaining letters."""
_LABEL_WIDTH = 84
_PANELS_A_LINE = 2


class ExportForm(QWidget):
    """Labels in one column, controls in the other. ``changed`` follows every change, ``panelTicked`` carries a name."""

    changed = Signal()
    panelTicked = Signal(str)

    def __init__(self, folder: Path, panels: Collection[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = grid_of(self, GAP, GAP - GAP // 4)
        self._grid.setColumnMinimumWidth(0, _LABEL_WIDTH)
        self._grid.setColumnStretch(1, 1)
        self._add_folder(folder)
        self._panels = self._add_panels(panels)
        self._formats = self._add_formats("Pictures", PICTURE_FORMATS) | self._add_formats("Numbers", NUMBER_FORMATS)
        self._add_look()
        self._grid.setRowStretch(self._grid.rowCount(), 1)
        self._enable()
        self._connect()

    @property
    def panels(self) -> tuple[str, ...]:
        """The ticked panels in the order of the registry."""
        return tuple(name for name, box in self._panels.items() if box.isChecked())

    @property
    def grid(self) -> Grid | None:
        """The places of the panels in one figure, None for a file per panel.

        ValueError with one sentence for panels that do not fit into one figure.
        """
        layout, count, page = self._layout.currentData(), len(self.panels), self.options.page or USUAL_PAGE
        if not layout or not count or not self._writes_pictures:
            return None
        grid = {"row": Grid(1, count), "column": Grid(count, 1), "square": Grid.square(count)}[layout]
        grid.check(self.panels, page)
        return grid

    @property
    def _writes_pictures(self) -> bool:
        return any(format in PICTURE_FORMATS for format in self.formats)

    @property
    def formats(self) -> tuple[str, ...]:
        """The ticked formats, pictures first."""
        return tuple(name for name, box in self._formats.items() if box.isChecked())

    @property
    def options(self) -> PictureOptions:
        """Options of the pictures; ValueError with one sentence for a size out of bounds."""
        scale, dpi = self._scale.currentData()
        return PictureOptions(
            theme=self._theme.currentData(),
            background=self._background.currentData(),
            scale=scale,
            dpi=dpi,
            caption=self._caption.currentData() == _BELOW,
            page=self._size.page(dpi or scale * DPI_AT_SCALE_1),
            mark=self._mark.isChecked(),
        )

    @property
    def caption_files(self) -> bool:
        """Whether captions are written as text files."""
        return bool(self._caption.currentData() == _IN_A_FILE)

    def mark_folder(self, wrong: bool) -> None:
        """Mark the folder as wrong and move the focus there, or remove the mark."""
        dress(self.folder, wrong=wrong)
        if wrong:
            self.folder.setFocus(Qt.FocusReason.OtherFocusReason)
            self.folder.selectAll()

    def _add_folder(self, folder: Path) -> None:
        self.folder = QLineEdit(str(folder), self)
        browse = QPushButton("B&rowse…", self, autoDefault=False)  # Enter exports, wherever the focus is
        browse.clicked.connect(self._browse)
        _describe(self.folder, "Folder", "Folder of the files; a missing last level is created.")
        _describe(browse, "Browse for the folder", "Choose the folder in a dialog.")
        self._add_row("&Folder", self.folder, browse)

    def _add_panels(self, ticked: Collection[str]) -> dict[str, QCheckBox]:
        boxes = {}
        taken = set(_TAKEN_LETTERS)
        for name, panel in PANELS.items():
            title = panel.title
            boxes[name] = box = QCheckBox(_with_mnemonic(title, taken), self)
            box.setChecked(name in ticked)
            _describe(box, f"Panel {title}", f"Write the picture {name} in each of the formats below.")
        lines = QGridLayout()
        lines.setVerticalSpacing(0)
        for index, box in enumerate(boxes.values()):
            lines.addWidget(box, *divmod(index, _PANELS_A_LINE), Qt.AlignmentFlag.AlignLeft)
        row = self._grid.rowCount()
        self._grid.addWidget(self._row_label("Panels", next(iter(boxes.values()))), row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(lines, row, 1)
        return boxes

    def _add_formats(self, title: str, formats: Collection[str]) -> dict[str, QCheckBox]:
        boxes = {}
        for name in formats:
            boxes[name] = box = QCheckBox(_FORMAT_LABELS[name], self)
            box.setChecked(name in _TICKED)
            _describe(box, f"{title} as {name.upper()}", _FORMAT_TIPS[name])
        self._add_row(title, *boxes.values())
        return boxes

    def _add_look(self) -> None:
        tip = "One file per panel, or one figure of all panels as (a), (b), ..., which is 174 mm wide for As seen."
        self._layout = self._choice(_LAYOUTS, "Layout", tip)
        self._add_row("Layout", self._layout)
        self._size = SizeChoice(self)
        self._add_row("S&ize", self._size)
        self._scale = self._choice(_SCALES, "Scale", "Pixels of a PNG per pixel of the window; 1× is 96 dpi.")
        self._scale.setCurrentIndex(_FIRST_SCALE)
        self._add_row("Sc&ale", self._scale)
        self._theme = self._choice(_THEMES, "Theme", "Colours of text and lines, independent of the window's theme.")
        self._theme.setCurrentIndex(self._theme.findData(present_style().name))
        self._add_row("Th&eme", self._theme)
        self._background = self._choice(_BACKGROUNDS, "Background", "Background of the picture.")
        self._add_row("Back&ground", self._background)
        self._caption = self._choice(
            _CAPTIONS, "Caption", "The encoding with all its parameters, the sentence, and the length."
        )
        self._add_row("Capti&on", self._caption)
        self._mark = QCheckBox("&Mark the cursor", self)
        _describe(self._mark, "Mark the cursor", "Draw the marks of the cell under the cursor in the pictures.")
        self._add_row("Cursor", self._mark)

    def _choice(self, choices: tuple[tuple[Any, str], ...], name: str, tip: str) -> QComboBox:
        box = QComboBox(self)
        for value, words in choices:
            box.addItem(words, value)
        _describe(box, name, tip)
        return box

    def _add_row(self, title: str, *controls: QWidget) -> None:
        row = self._grid.rowCount()
        line = row_of(spacing=2 * GAP if isinstance(controls[0], QCheckBox) else GAP)
        for control in controls:
            line.addWidget(control, 0 if isinstance(control, QCheckBox | QPushButton) else 1)
        if isinstance(controls[0], QCheckBox):
            line.addStretch(1)
        self._grid.addWidget(self._row_label(title, controls[0]), row, 0)
        self._grid.addLayout(line, row, 1)

    def _row_label(self, title: str, control: QWidget) -> SmallLabel:
        """The name of a row; its mnemonic moves the focus to the row's first control."""
        label = SmallLabel(title)
        label.setToolTip(plain_tip(control.toolTip() if "&" in title else ""))
        if "&" in title:
            label.setBuddy(control.names if isinstance(control, SizeChoice) else control)
        return label

    def _connect(self) -> None:
        self.folder.textChanged.connect(self._changed)
        for name, panel in self._panels.items():
            panel.toggled.connect(partial(self._panel_toggled, name))
        for box in (*self._formats.values(), self._mark):
            box.toggled.connect(self._changed)
        for choice in (self._layout, self._scale, self._theme, self._background, self._caption):
            choice.currentIndexChanged.connect(self._changed)
        self._size.names.currentIndexChanged.connect(self._suit_scale)
        self._size.changed.connect(self._changed)

    def _suit_scale(self) -> None:
        """Choose the usual scale of paper or of a screen, unless the user has chosen a scale."""
        usual = (_FIRST_SCALE, _PAPER_SCALE)
        if self._scale.currentIndex() in usual:
            self._scale.setCurrentIndex(usual[self._size.is_on_paper])

    def _browse(self) -> None:
        chooser = QFileDialog(self.window(), "Export to", self.folder.text())
        chooser.setFileMode(QFileDialog.FileMode.Directory)
        chooser.setOption(QFileDialog.Option.ShowDirsOnly)
        if chooser.exec():
            self.folder.setText(str(Path(chooser.selectedFiles()[0])))
        chooser.deleteLater()

    def _panel_toggled(self, name: str, on: bool) -> None:
        self._changed()
        if on:
            self.panelTicked.emit(name)

    def _changed(self) -> None:
        self.mark_folder(False)
        self._enable()
        self.changed.emit()

    def _enable(self) -> None:
        """Enable the controls that have an effect."""
        self._scale.setEnabled("png" in self.formats)
        for control in (self._layout, self._size, self._theme, self._background, self._caption, self._mark):
            control.setEnabled(self._writes_pictures)


def _with_mnemonic(title: str, taken: set[str]) -> str:
    """The title with a mnemonic on its first letter that is not in ``taken``, to which the letter is added."""
    for index, letter in enumerate(title.lower()):
        if letter.isalpha() and letter not in taken:
            taken.add(letter)
            return f"{title[:index]}&{title[index:]}"
    return title


def _describe(control: QWidget, name: str, tip: str) -> None:
    describe(control, name, tip)
    control.setAccessibleDescription(tip)
