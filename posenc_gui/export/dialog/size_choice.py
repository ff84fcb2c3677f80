"""The choice of a picture's size in the export dialog: as seen, named sizes on paper, or one that is typed."""

from PySide6.QtCore import QLocale, Signal
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QWidget

from posenc_gui.export.paper import LARGEST_MM, MM_AN_INCH, NAMED_SIZES, UNITS, PageSize
from posenc_gui.look import GAP, PlainLabel, describe, enlarged, grid_of

_CUSTOM = "custom"
_SIZES = (
    ("", "As seen"),
    ("column", "One column (85 mm)"),
    ("two-columns", "Two columns (174 mm)"),
    ("slide", "Slide (160 × 90 mm)"),
    (_CUSTOM, "Custom"),
)
_UNIT_WORDS = {"mm": "mm", "in": "inches", "px": "pixels"}
_DECIMALS = {"mm": 1, "in": 2, "px": 0}
_FIRST_WIDTH_MM = 120.0
_TIP = (
    "As seen: the figure in the size of its panel. The other sizes are for the whole picture, in which all text has "
    "7.5 pt and lines, ticks and labels are laid out again."
)


class SizeChoice(QWidget):
    """A list of sizes, and for a custom one its numbers and unit. ``changed`` follows every change."""

    changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.names, self._unit = QComboBox(self), QComboBox(self)
        for value, words in _SIZES:
            self.names.addItem(words, value)
        for unit in UNITS:
            self._unit.addItem(_UNIT_WORDS[unit], unit)
        self._shown_unit = UNITS[0]
        self._width, self._height = self._number(_FIRST_WIDTH_MM), self._number(0.0)
        self._height.setSpecialValueText("auto")
        self._times = PlainLabel("×", self)
        self._describe()
        self._lay_out()
        self._show_custom()
        self.names.currentIndexChanged.connect(self._choose)
        self._unit.currentIndexChanged.connect(self._convert)
        for number in (self._width, self._height):
            number.valueChanged.connect(self.changed)

    @property
    def is_on_paper(self) -> bool:
        """Whether a size on paper is chosen."""
        return bool(self.names.currentData())

    def page(self, dpi: float) -> PageSize | None:
        """The size of the whole picture, None for as seen; pixels are those at ``dpi``.

        ValueError with one sentence for a custom size out of bounds.
        """
        name = self.names.currentData()
        if name != _CUSTOM:
            return NAMED_SIZES.get(name)
        return PageSize.of(self._width.value(), self._height.value() or None, self._unit.currentData(), dpi)

    def _number(self, value: float) -> QDoubleSpinBox:
        number = QDoubleSpinBox(self)
        number.setLocale(QLocale.c())
        number.setKeyboardTracking(False)
        number.setButtonSymbols(QDoubleSpinBox.ButtonSymbols.NoButtons)
        number.setDecimals(_DECIMALS[self._shown_unit])
        number.setRange(0, 100_000)
        number.setValue(value)
        number.setMaximumWidth(enlarged(72))
        return number

    def _choose(self) -> None:
        self._show_custom()
        self.changed.emit()

    def _show_custom(self) -> None:
        for control in (self._width, self._times, self._height, self._unit):
            control.setVisible(self.names.currentData() == _CUSTOM)

    def _convert(self) -> None:
        """Keep the size when its unit changes; an inch has 300 pixels then."""
        unit = self._unit.currentData()
        one = {"mm": 1.0, "in": MM_AN_INCH, "px": MM_AN_INCH / 300}
        factor, self._shown_unit = one[self._shown_unit] / one[unit], unit
        for number in (self._width, self._height):
            value = number.value() * factor
            number.blockSignals(True)
            number.setDecimals(_DECIMALS[unit])
            number.setValue(value)
            number.blockSignals(False)
        self.changed.emit()

    def _describe(self) -> None:
        bounds = f"at most {LARGEST_MM:g} mm"
        for control, name, tip in (
            (self.names, "Size", _TIP),
            (self._width, "Width", f"Width of the whole picture, {bounds}."),
            (self._height, "Height", f"Height of the whole picture, {bounds}; 0 for the figure's own height."),
            (self._unit, "Unit", "Unit of width and height; pixels are those of the PNG at the chosen scale."),
        ):
            describe(control, name, tip)
            control.setAccessibleDescription(tip)

    def _lay_out(self) -> None:
        grid = grid_of(self, GAP, GAP)
        grid.addWidget(self.names, 0, 0, 1, 4)
        for column, control in enumerate((self._width, self._times, self._height, self._unit)):
            grid.addWidget(control, 1, column)
        grid.setColumnStretch(3, 1)
