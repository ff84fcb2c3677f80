"""The least that a window with these libraries can cost: they are imported, and an empty plot is shown.

Prints a line once it is painted, and ends; `startup.py` compares the program with it.
"""

import msgspec
import numpy
import pyqtgraph as pg
import regex
from PySide6.QtCore import QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication

IMPORTED = (msgspec, numpy, regex, QSvgRenderer)


class Plot(pg.PlotWidget):
    """An empty plot that ends the program when it has been painted."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint, and let the pass of painting end before saying so."""
        super().paintEvent(event)
        QTimer.singleShot(0, self._end)

    def _end(self) -> None:
        print("painted", flush=True)
        QApplication.quit()


if __name__ == "__main__":
    application = QApplication([])
    plot = Plot()
    plot.resize(1400, 900)
    plot.show()
    application.exec()
