"""Unexpected errors in a picture are reported one by one: two that left a paint event would end the process."""

from PySide6.QtGui import QPainter

from posenc_gui.figures import Figure
from posenc_gui.figures.figure_view import FigureView
from posenc_gui.look import LIGHT, Style
from posenc_gui.model import PanelSpec
from posenc_gui.plotting import Strip


class Failing(Strip):
    """A strip that cannot be drawn."""

    def draw(self, painter: QPainter) -> None:
        raise ValueError("this strip has no numbers")


class FailingFigure(Figure):
    """Two strips that cannot be drawn."""

    spec = PanelSpec(package="", title="Failing", hint="", explanation="")

    def __init__(self, style: Style) -> None:
        super().__init__(style)
        for column in range(2):
            self.addItem(Failing(), 0, column)


def test_a_figure_with_two_errors_reports_both_and_the_process_goes_on(qtbot):
    view = FigureView(FailingFigure(LIGHT))
    qtbot.addWidget(view)
    view.resize(300, 200)
    with qtbot.captureExceptions() as raised:
        view.grab()
    assert [str(error) for _, error, _ in raised] == ["this strip has no numbers"] * 2
