"""A plot area that is squeezed until no row of pixels is left has nothing under the mouse."""

import pyqtgraph as pg
import pytest
from pixels import click, hover, settle, wheel
from PySide6.QtCore import QPointF

from posenc_gui.plotting.plot_area import PlotArea


@pytest.fixture
def area(qtbot):
    """An area of data from 0 to 10 across and 0 to 5 down, in a view of its own; its signals are recorded."""
    view = pg.GraphicsView()
    qtbot.addWidget(view)
    view.setCentralItem(pg.GraphicsWidget())
    area = PlotArea(down=True)
    view.scene().addItem(area)
    area.set_extent((0.0, 10.0), (0.0, 5.0))
    area.setMinimumSize(0, 0)
    view.resize(300, 200)
    view.show()
    area.told, area.view = [], view
    for signal in (area.hovered, area.clicked, area.wheeled):
        signal.connect(lambda *told: area.told.append(told))
    return area


@pytest.mark.parametrize(("height", "tells"), [(40, True), (0, False)])
def test_an_area_tells_where_the_mouse_is_if_it_has_room(area, height, tells, capfd):
    area.setGeometry(0, 50, 100, height)
    settle()
    for y in range(45, 56):
        hover(area.view, QPointF(30, y))
        click(area.view, QPointF(30, y))
        wheel(area.view, QPointF(30, y), 1)
    assert bool(area.told) is tells
    assert capfd.readouterr().err == ""
