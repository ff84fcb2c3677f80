"""Random actions on a window: each is a function of the window's owner and a random generator."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Protocol

import numpy as np
from monkey_panels import use_panel_editor
from monkey_values import WORDS, any_value, sentence
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractSlider,
    QApplication,
    QCheckBox,
    QComboBox,
    QLineEdit,
    QMenu,
    QPlainTextEdit,
    QWidget,
)

from posenc_core import ENCODINGS
from posenc_core.session.document import FAMILY
from posenc_gui.export.names import PICTURE_FORMATS
from posenc_gui.export.numbers import NUMBER_FORMATS, write_numbers
from posenc_gui.export.pictures import Picture, PictureOptions, picture_bytes
from posenc_gui.files.errors import FileError
from posenc_gui.model.cursor import Cursor
from posenc_gui.panels import PANELS, WORKSPACES, spec_of
from posenc_gui.plotting.plot_area import Window
from posenc_gui.window.main_window import MainWindow

CTRL, SHIFT = Qt.KeyboardModifier.ControlModifier, Qt.KeyboardModifier.ShiftModifier
KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_PageDown)
WITH_DIALOGS = (
    "copy_as_llama.cpp",
    "open",
    "open_table",
    "open_model",
    "open_model_b",
    "open_encoding",
    "export_film",
    "export_page",
    "save_as",
    "export_panel",
    "export_all",
    "explain",
    "about",
    "questions",
)
LARGEST_EXPORT = 4_000_000
"""Cells: an export of more takes seconds, and is tried elsewhere."""


class Owner(Protocol):
    """Who has the window."""

    window: MainWindow
    folder: Path
    gesture: object

    def reopen(self) -> None:
        """Close the window, and open another."""


Action = Callable[[Owner, Random], None]


def edit(owner: Owner, rng: Random) -> None:
    """Any value for any field; a wrong one is one sentence, and changes nothing."""
    store = owner.window.store
    field, before = rng.choice(store.document.fields), store.document
    try:
        store.edit(field.name, any_value(field, rng))
    except (TypeError, ValueError) as error:
        if store.document is not before or not _is_a_line(error):
            raise AssertionError(f"{field.name} is not refused in a sentence, or changed") from error


def _is_a_line(error: Exception) -> bool:
    return bool(str(error)) and "\n" not in str(error)


def choose_family(owner: Owner, rng: Random) -> None:
    owner.window.store.edit(FAMILY.name, rng.choice(list(ENCODINGS)))


def drag(owner: Owner, rng: Random) -> None:
    """Drag a number to its next value; sometimes another number."""
    if not isinstance(owner.gesture, tuple) or rng.random() < 0.2:
        owner.gesture = (rng.choice(("seq_len", "base", "d_model", "seed", "offset")), rng.random())
    name = owner.gesture[0]
    fields = [field for field in owner.window.store.document.fields if field.name == name]
    for field in fields:
        try:
            owner.window.store.edit(name, any_value(field, rng), owner.gesture)
        except (TypeError, ValueError):
            return


def type_key(owner: Owner, rng: Random) -> None:
    """A key in the sentence."""
    line = owner.window.sentence_bar.focusProxy()
    if rng.random() < 0.25:
        QTest.keyClick(line, rng.choice((Qt.Key.Key_Backspace, Qt.Key.Key_Delete, Qt.Key.Key_Left, Qt.Key.Key_End)))
    else:
        QTest.keyClicks(line, rng.choice("abc ,."))


def write_sentence(owner: Owner, rng: Random) -> None:
    owner.window.store.edit("sentence", sentence(rng))


def use_editor(owner: Owner, rng: Random) -> None:
    """Something in a control of a dock or the bar, as a hand would."""
    controls = [
        control
        for room in (*owner.window.docks.values(), owner.window.sentence_bar)
        for control in room.findChildren(QWidget)
        if isinstance(control, QLineEdit | QComboBox | QCheckBox | QAbstractSlider | QPlainTextEdit)
        and control.isVisible()
        and control.isEnabled()
        and control.accessibleName() != "Split into"  # one of its entries asks for a tokenizer's file
    ]
    if not controls:
        return
    control = rng.choice(controls)
    if isinstance(control, QLineEdit):
        control.selectAll()
        QTest.keyClicks(control, rng.choice(("8", "64", "1e4", "0", "-3", "", "none", "x", "1, 2, 3", "9" * 30)))
        QTest.keyClick(control, rng.choice((Qt.Key.Key_Return, Qt.Key.Key_Escape, Qt.Key.Key_Up)))
    elif isinstance(control, QCheckBox):
        control.click()
    else:
        QTest.keyClick(control, rng.choice(KEYS))


def undo(owner: Owner, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 1, 1, 3))):
        owner.window.store.undo()


def redo(owner: Owner, rng: Random) -> None:
    for _ in range(rng.choice((1, 1, 1, 1, 3))):
        owner.window.store.redo()


def use_menu(owner: Owner, rng: Random) -> None:
    """Any entry of any menu that asks nothing."""
    entries = [entry for entry in _entries(owner.window) if entry.objectName() not in (*WITH_DIALOGS, "quit")]
    rng.choice(entries).trigger()


def use_menu_with_dialog(owner: Owner, rng: Random) -> None:
    """An entry that opens a dialog, which the monkey answers somehow."""
    entries = [entry for entry in _entries(owner.window) if entry.objectName() in WITH_DIALOGS]
    rng.choice(entries).trigger()


def ask_question(owner: Owner, rng: Random) -> None:
    """Open the view that answers a question, or search for anything."""
    if rng.random() < 0.8:
        owner.window.commands.story.open_question(rng.randint(1, 24))
    else:
        owner.window.commands.story.show_palette()


def _entries(window: MainWindow) -> list[QAction]:
    """Enabled menu entries after all menus were opened."""
    for menu in window.findChildren(QMenu):
        menu.aboutToShow.emit()
    menus = window.findChildren(QMenu)
    openers = [menu.menuAction() for menu in menus]  # not by asking each entry: PySide would delete its menu
    found = [entry for menu in menus for entry in menu.actions() if entry not in openers]
    return [entry for entry in found if entry.isEnabled() and not entry.isSeparator()]


def change_theme(owner: Owner, rng: Random) -> None:
    themes = [entry for entry in _entries(owner.window) if entry.data() in ("system", "light", "dark")]
    rng.choice(themes).trigger()


def arrange(owner: Owner, rng: Random) -> None:
    """Move, float, hide or show a dock or a panel, or give the window another size."""
    window = owner.window
    what = rng.randrange(5)
    if what == 0:
        dock = rng.choice([*window.docks.values()])
        dock.setFloating(not dock.isFloating())
    elif what == 1:
        rng.choice([*window.docks.values()]).toggleViewAction().trigger()
    elif what == 2:
        area = rng.choice((Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea))
        window.addDockWidget(area, rng.choice([*window.docks.values()]))
    elif what == 3:
        window.resize(rng.randint(880, 1500), rng.randint(560, 950))
    else:
        _arrange_panels(window, rng)


def _arrange_panels(window: MainWindow, rng: Random) -> None:
    """Another workspace, or a panel that is shown, closed, moved or alone."""
    workspaces, name, chance = window.workspaces, rng.choice(list(PANELS)), rng.random()
    if chance < 0.3:
        workspaces.choose(rng.choice(workspaces.offered))
    elif chance < 0.6:
        workspaces.show_panel(name, name not in workspaces.shown)
    elif chance < 0.8 and workspaces.seen:
        window.commands.move_panel(rng.choice([each for each in WORKSPACES if each != workspaces.current]))
    else:
        window.commands.maximise()


def zoom(owner: Owner, rng: Random) -> None:
    """Turn the wheel over a panel, show a part of it, or everything."""
    panel = _panel(owner, rng)
    chance = rng.random()
    if chance < 0.7:
        notches, keys = rng.choice((-3, -1, 1, 2, 5)), rng.choice((CTRL, SHIFT, CTRL | SHIFT))
        _wheel(panel.view, _place(panel.view, rng), notches, keys)
    elif chance < 0.9:
        x, y = sorted((rng.uniform(-5, 70), rng.uniform(-5, 70))), sorted((rng.uniform(-5, 70), rng.uniform(-5, 70)))
        panel.figure.viewport.show_window(Window((x[0], x[1] + 1), (y[0], y[1] + 1)))
    else:
        panel.figure.viewport.reset()


def point(owner: Owner, rng: Random) -> None:
    """Move the mouse over a panel, and press it there or not."""
    viewport = _panel(owner, rng).view.viewport()
    place = _place(viewport, rng)
    _mouse(viewport, QEvent.Type.MouseMove, place, pressed=False)
    chance = rng.random()
    if chance < 0.5:
        _mouse(viewport, QEvent.Type.MouseButtonPress, place)
        _mouse(viewport, QEvent.Type.MouseButtonRelease, place, pressed=False)
    if chance < 0.1:
        _mouse(viewport, QEvent.Type.MouseButtonDblClick, place)
        _mouse(viewport, QEvent.Type.MouseButtonRelease, place, pressed=False)


def pan(owner: Owner, rng: Random) -> None:
    """Drag the mouse over a panel."""
    viewport = _panel(owner, rng).view.viewport()
    start, stop = _place(viewport, rng), _place(viewport, rng)
    _mouse(viewport, QEvent.Type.MouseButtonPress, start)
    for part in (0.3, 0.6, 1.0):
        _mouse(viewport, QEvent.Type.MouseMove, start + (stop - start) * part)
    _mouse(viewport, QEvent.Type.MouseButtonRelease, stop, pressed=False)


def _mouse(viewport: QWidget, kind: QEvent.Type, place: QPoint, pressed: bool = True) -> None:
    """Send a mouse event; QTest would paint everything after each event."""
    left, none = Qt.MouseButton.LeftButton, Qt.MouseButton.NoButton
    button = none if kind == QEvent.Type.MouseMove else left
    where, there = QPointF(place), QPointF(viewport.mapToGlobal(place))
    event = QMouseEvent(kind, where, there, button, left if pressed else none, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(viewport, event)


def press_key(owner: Owner, rng: Random) -> None:
    """An arrow key in a panel."""
    QTest.keyClick(_panel(owner, rng), rng.choice(KEYS), rng.choice((Qt.KeyboardModifier.NoModifier, SHIFT)))


def walk(owner: Owner, rng: Random) -> None:
    """From token to token, and to any cell."""
    control = owner.window.cursor_control
    rng.choice((control.next_token, control.previous_token, control.release))()
    control.hold(Cursor(rng.randrange(60), rng.randrange(8), query=rng.choice((None, 0, 2))))
    control.show_document(owner.window.store.document)


def play(owner: Owner, rng: Random) -> None:
    """The timeline: play, a few stops, another speed, a scrub, and perhaps without its bar."""
    bar = owner.window.timeline_bar
    timeline = bar.timeline
    bar.play()
    timeline.choose_speed(rng.choice((0.5, 1.0, 8.0)))
    for _ in range(rng.randrange(4)):
        timeline.step()
    count = timeline.place[1]
    if count and rng.random() < 0.5:
        timeline.scrub(rng.randrange(count), object())
    if rng.random() < 0.3:
        bar.ask(False)


def _panel(owner: Owner, rng: Random) -> Any:
    """A panel on the screen; the workspace's own ones come back if all are closed."""
    if not owner.window.workspaces.seen:
        owner.window.workspaces.reset()
    return rng.choice([owner.window.panels[name] for name in owner.window.workspaces.seen])


def _place(widget: QWidget, rng: Random) -> QPoint:
    return QPoint(rng.randrange(max(1, widget.width())), rng.randrange(max(1, widget.height())))


def _wheel(view: Any, place: QPoint, notches: int, modifiers: Qt.KeyboardModifier) -> None:
    where, way = QPointF(place), QPoint(0, 120 * notches)
    there = QPointF(view.viewport().mapToGlobal(place))
    button, phase = Qt.MouseButton.NoButton, Qt.ScrollPhase.NoScrollPhase
    QApplication.sendEvent(view.viewport(), QWheelEvent(where, there, QPoint(), way, button, modifiers, phase, False))


def save(owner: Owner, rng: Random) -> None:
    owner.window.files._write(owner.folder / f"session{rng.randrange(6)}.posenc")


def open_file(owner: Owner, rng: Random) -> None:
    """Open or drop something: sessions, pictures, tables and configurations, whole and damaged."""
    paths = sorted(path for path in owner.folder.iterdir() if path.is_file())
    path = rng.choice(paths)
    if rng.random() < 0.5:
        owner.window.open_file(path)
        return
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    no_button, no_key = Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier
    owner.window.dropEvent(QDropEvent(QPointF(9, 9), Qt.DropAction.CopyAction, data, no_button, no_key))


def export(owner: Owner, rng: Random) -> None:
    """A picture of a panel in memory, or the numbers in a file."""
    document, cursor = owner.window.store.document, owner.window.cursor_control.cursor
    if rng.random() < 0.3:
        _export_numbers(owner, rng)
        return
    panel = rng.choice([name for name in PANELS if spec_of(name).missing(document) is None])
    theme, ground = rng.choice(("light", "dark")), rng.choice(("theme", "transparent"))
    options = PictureOptions(theme, ground, scale=rng.choice((0.5, 1.0)), caption=rng.random() < 0.5)
    format = rng.choice(PICTURE_FORMATS)
    picture = Picture(panel, document, cursor, owner.window.shelf.panel(panel).figure.viewport.window())
    try:
        content = picture_bytes(picture, format, options)
    except FileError as error:
        if not _is_a_line(error):
            raise
        return
    if format == "png":
        (owner.folder / "picture.png").write_bytes(content)


def _export_numbers(owner: Owner, rng: Random) -> None:
    document, format = owner.window.store.document, rng.choice(NUMBER_FORMATS)
    if len(document.token_list) * document.encoding.n_columns <= LARGEST_EXPORT:
        try:
            write_numbers(document, owner.folder.parent / f"numbers.{format}", format)
        except FileError as error:
            if not _is_a_line(error):
                raise


def reopen(owner: Owner, rng: Random) -> None:
    """Close the window and open another."""
    owner.reopen()


def files_in(folder: Path) -> None:
    """Write files to open: a table, a configuration, and damaged files."""
    numbers = np.random.default_rng(7).normal(size=(12, 6)).astype(np.float32)
    np.save(folder / "table.npy", numbers)
    config = {"model_type": "llama", "head_dim": 8, "num_attention_heads": 4, "hidden_size": 32, "rope_theta": 5e5}
    (folder / "config.json").write_text(json.dumps(config | {"max_position_embeddings": 64}), encoding="utf-8")
    (folder / "damaged.posenc").write_bytes(b'{"format": "posenc session", "version": 2, "encoding": {"family": 3}}')
    (folder / "empty.posenc").write_bytes(b"")
    (folder / "other.npy").write_bytes(b"\x93NUMPY" + "".join(WORDS).encode())


ACTIONS: dict[Action, float] = {
    edit: 14, choose_family: 1, drag: 6, type_key: 8, write_sentence: 0.8, use_editor: 4, use_panel_editor: 5,
    undo: 6, redo: 5, use_menu: 2, use_menu_with_dialog: 0.3, ask_question: 0.5, change_theme: 0.4, arrange: 2.5,
    zoom: 14, point: 15, pan: 5, press_key: 10, walk: 6, play: 4,
    save: 0.5, open_file: 0.5, export: 0.5, reopen: 0.03,
}  # fmt: skip
"""How often each is done, in parts of a hundred or so."""
