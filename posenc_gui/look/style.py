"""Colours, fonts, line widths and layers: the look of a picture as one frozen value.

All sizes are logical pixels. Pens are not cosmetic, so that a scaled painter keeps the proportions of a picture
that is exported at 2x, 4x or 300 dpi.
"""

from collections.abc import Sequence
from functools import cache

import msgspec
from msgspec import Struct
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette, QPen

from posenc_gui.look.resources import resource

FAMILY = "Inter"

TEXT_PX, LABEL_PX = 13, 12
"""Sizes of the window's letters in logical pixels, before the text's scale."""

# Layers of a picture from bottom to top.
LAYER_GUIDES = 0
LAYER_DATA = 1
LAYER_TOKENS = 2
LAYER_CURSOR = 3


ENCODING_DASHES: tuple[tuple[float, ...], ...] = ((), (5.0, 2.0), (1.5, 1.5), (6.0, 2.0, 1.5, 2.0))
"""Lines and gaps of the encodings A to D, in widths of the line."""


class Style(Struct, frozen=True):
    """A theme. Colours are ``#rrggbb``; text has a contrast of at least 4.5:1 on ``paper`` and ``ground``."""

    name: str
    ground: str  # behind cards and docks
    paper: str  # the cards with the pictures
    field: str  # text fields
    border: str
    grid: str
    ink: str
    muted: str
    accent: str
    on_accent: str
    error: str
    warning: str
    sine: str
    cosine: str
    cosine_text: str
    token_cycle: tuple[str, ...]
    encodings: tuple[str, ...]
    masked: str  # cells that a causal model masks
    text_scale: float = 1.0

    def scaled(self, text_scale: float) -> "Style":
        """The theme with text of another size, a multiple of the program's own."""
        return self if text_scale == self.text_scale else replace(self, text_scale=text_scale)

    @property
    def is_dark(self) -> bool:
        """Whether text is lighter than its ground."""
        return QColor(self.paper).lightness() < QColor(self.ink).lightness()

    def token(self, index: int) -> QColor:
        """The colour of the token with this index, the same in every panel."""
        return QColor(self.token_cycle[index % len(self.token_cycle)])

    def part(self, part: str) -> QColor:
        """The colour of a wave: ``sin``, ``cos``, or padding."""
        return QColor({"sin": self.sine, "cos": self.cosine}.get(part, self.muted))

    def part_text(self, part: str) -> QColor:
        """The same hue for text, with enough contrast to read."""
        return QColor({"sin": self.sine, "cos": self.cosine_text}.get(part, self.muted))

    def encoding_pen(self, index: int, width: float = 1.5) -> QPen:
        """The pen of the lines of encoding A, B, C or D: a colour, and a dash that prints in grey keep apart."""
        return self.pen(self.encodings[index], width, ENCODING_DASHES[index])

    def font(self, px: float = 12, semibold: bool = False) -> QFont:
        """The program's font at a size in logical pixels, before the text's scale, with tabular figures."""
        return QFont(_font(px * self.text_scale, semibold))

    def pen(self, colour: str | QColor, width: float = 1.0, dash: Sequence[float] = ()) -> QPen:
        """A pen that scales with the picture: solid, or with the lines and gaps of ``dash`` in widths of the line."""
        pen = QPen(_pen(colour, width)) if isinstance(colour, str) else _new_pen(colour, width)
        if dash:
            pen.setDashPattern([*dash])
        return pen

    def palette(self) -> QPalette:
        """The palette of Qt's widgets in these colours."""
        return QPalette(_palette(self))


THEMES = msgspec.json.decode(resource("themes.json").read_bytes(), type=dict[str, Style])
"""The themes by name. Colours of tokens differ by at least 20 (CIEDE2000) from one another and from the waves, muted
text and the accent, and have enough contrast for text."""

LIGHT, DARK = THEMES["light"], THEMES["dark"]


@cache
def load_fonts() -> None:
    """Register the program's font with Qt; needs a QGuiApplication."""
    for name in ("Inter-Regular.otf", "Inter-SemiBold.otf"):
        if QFontDatabase.addApplicationFont(str(resource("fonts", name))) < 0:
            raise RuntimeError(f"the shipped font {name} cannot be read; install PosEnc again")


def blend(colour: str, ground: str, share: float) -> QColor:
    """The mixture of ``share`` of the colour, from 0 to 1, and the rest of the ground."""
    over, under = QColor(colour), QColor(ground)
    return QColor.fromRgbF(
        over.redF() * share + under.redF() * (1 - share),
        over.greenF() * share + under.greenF() * (1 - share),
        over.blueF() * share + under.blueF() * (1 - share),
    )


@cache
def text_palette(role: str, style: Style) -> QPalette:
    """The style's palette with labels in the colour of this name, such as ``muted``, fainter if they are disabled."""
    palette, colour = style.palette(), getattr(style, role)
    faint = blend(colour, style.ground, 0.55)
    # Labels in a tool bar use the colour of its buttons.
    for which in (QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(which, QColor(colour))
        palette.setColor(QPalette.ColorGroup.Disabled, which, faint)
    return palette


@cache
def control_palette(style: Style, wrong: bool = False) -> QPalette:
    """The style's palette for a control with a visible edge; in red for a wrong value."""
    palette = style.palette()
    role = QPalette.ColorRole
    edge = QColor(style.error) if wrong else blend(style.muted, style.ground, 0.5)
    bright = min(1.0, 1.4 * edge.valueF())  # Fusion divides the brightness of the window's colour by 1.4
    palette.setColor(role.Window, QColor.fromHsvF(edge.hueF(), edge.saturationF(), bright))
    if wrong:
        for which in (role.Text, role.WindowText, role.ButtonText, role.Highlight, role.Accent):
            palette.setColor(which, QColor(style.error))
        palette.setColor(role.HighlightedText, QColor(style.field))
        for which in (role.Base, role.Button):
            palette.setColor(which, blend(style.error, style.field, 0.14))
    return palette


@cache
def bar_palette(style: Style) -> QPalette:
    """The style's palette for menu bar, tool bars and status line."""
    palette = style.palette()
    palette.setColor(QPalette.ColorRole.Window, QColor(style.paper))
    return palette


def checked_palette(style: Style) -> QPalette:
    """Palette of a checked button. Qt's own hardly differs from an unchecked button on a dark background."""
    return _filled_palette(style, style.border, style.ink)


def unchecked_palette(style: Style) -> QPalette:
    """The style's palette for a button beside a checked one."""
    return _filled_palette(style, style.paper, style.muted)


def _filled_palette(style: Style, ground: str, ink: str) -> QPalette:
    palette = style.palette()
    palette.setColor(QPalette.ColorRole.Button, QColor(ground))
    palette.setColor(QPalette.ColorRole.ButtonText, QColor(ink))
    return palette


@cache
def _palette(style: Style) -> QPalette:
    palette = QPalette()
    role = QPalette.ColorRole
    for which, colour in (
        (role.Window, style.ground),
        (role.WindowText, style.ink),
        (role.Base, style.field),
        (role.AlternateBase, style.ground),
        (role.Text, style.ink),
        (role.PlaceholderText, style.muted),
        (role.Button, style.paper),
        (role.ButtonText, style.ink),
        (role.ToolTipBase, style.paper),
        (role.ToolTipText, style.ink),
        (role.Highlight, style.accent),
        (role.HighlightedText, style.on_accent),
        (role.Link, style.accent),
        (role.Accent, style.accent),
        (role.BrightText, style.error),
        (role.Light, style.paper),
        (role.Midlight, style.border),
        (role.Mid, style.border),
        (role.Dark, style.border),
        (role.Shadow, style.border),
    ):
        palette.setColor(which, QColor(colour))
    for which in (role.Text, role.WindowText, role.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, which, QColor(style.muted))
    return palette


def _new_pen(colour: QColor, width: float) -> QPen:
    pen = QPen(colour, width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    return pen


@cache
def _pen(colour: str, width: float) -> QPen:
    return _new_pen(QColor(colour), width)


@cache
def _font(px: float, semibold: bool) -> QFont:
    font = QFont(FAMILY)
    font.setPixelSize(round(px))
    font.setWeight(QFont.Weight.DemiBold if semibold else QFont.Weight.Normal)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font
