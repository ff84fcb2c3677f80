"""What Qt's Fusion style is told beyond its palette: cards, docks, bars."""

from posenc_gui.style import Style


def stylesheet(style: Style) -> str:
    """The style sheet of the window for a theme."""
    s = style
    return f"""
    QMainWindow, QDialog {{ background: {s.ground}; }}
    QMainWindow::separator {{ background: {s.ground}; width: 6px; height: 6px; }}
    QSplitter::handle {{ background: {s.ground}; }}
    QMenuBar {{ background: {s.paper}; color: {s.ink}; }}
    QMenuBar::item {{ background: transparent; padding: 5px 10px; }}
    QMenuBar::item:selected {{ background: {s.border}; }}
    QToolBar {{ background: {s.paper}; border: none; border-bottom: 1px solid {s.border}; padding: 0; }}
    QFrame#card {{ background: {s.paper}; border: 1px solid {s.border}; border-radius: 6px; }}
    QFrame#card:focus {{ border: 1px solid {s.accent}; }}
    QFrame#card QLabel {{ background: transparent; }}
    QLabel#cardTitle {{ color: {s.ink}; font-weight: 600; }}
    QLabel#cardHint {{ color: {s.muted}; }}
    QLabel#cardNote {{ color: {s.muted}; }}
    QLabel#dockTitle {{ color: {s.ink}; font-weight: 600; }}
    QDockWidget {{ color: {s.ink}; }}
    QDockWidget > QWidget {{ background: {s.ground}; }}
    QScrollArea {{ background: transparent; border: none; }}
    QScrollArea > QWidget > QWidget {{ background: transparent; }}
    QStatusBar {{ background: {s.paper}; border-top: 1px solid {s.border}; }}
    QStatusBar::item {{ border: none; }}
    QStatusBar QLabel {{ color: {s.muted}; }}
    QToolTip {{ background: {s.paper}; color: {s.ink}; border: 1px solid {s.border}; padding: 5px; }}
    """
