"""View > Logarithmic positions: offered where a length is over 1,000, undone like any edit."""

from PySide6.QtGui import QAction


def entry(window):
    (action,) = (each for each in window.findChildren(QAction) if each.text() == "&Logarithmic positions")
    return action


def test_the_menu_offers_it_for_long_documents(window):
    assert not entry(window).isEnabled()
    window.store.edit("seq_len", 1001)
    assert entry(window).isEnabled()
    entry(window).trigger()
    assert window.store.document.view.logarithmic
    assert window.panels["waves"].figure.area.logarithmic
    assert entry(window).isChecked()
    window.store.undo()
    assert not entry(window).isChecked()
    assert not window.panels["waves"].figure.area.logarithmic
