"""The right half of the export dialog: one picture, its size, and the names of all files."""

from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt, QTimer, Signal
from PySide6.QtGui import QColor, QHideEvent, QImage, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QSizePolicy, QWidget
from typing_extensions import override

from posenc_gui.export.grid import FIGURE_NAME
from posenc_gui.export.job import ExportJob
from posenc_gui.export.page import PictureOptions
from posenc_gui.export.pictures import fitted_image
from posenc_gui.figures import BackgroundRenderer
from posenc_gui.files import FileError
from posenc_gui.look import Note, SmallLabel, Style, column_of, describe, present_style, row_of
from posenc_gui.panels import PANELS

DELAY_MS = 150
"""Delay of the picture after the last change, to keep typing and clicking quick."""

_MARGIN = 12
_CHECK_PX = 8
_MM_A_PIXEL = 25.4 / 96


class ExportPreview(QWidget):
    """Shows the pictures of a job. ``rendered`` follows each update of the picture."""

    rendered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._job: ExportJob | None = None
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self._render)
        self._panel = QComboBox(self)
        self._panel.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)  # the panels change
        describe(self._panel, "Preview of", "Panel shown in the preview.")
        self._panel.currentIndexChanged.connect(self._on_panel_chosen)
        self.canvas = PictureCanvas(self)
        self.canvas.resized.connect(self._render_soon)
        self.size_line, self.names_line = Note("ink", self), Note("muted", self)
        self._renderer = BackgroundRenderer(self)
        self._renderer.arrived.connect(self._render_more)
        self._renderer.changed.connect(self._show_size)
        self._size = ""
        self._lay_out()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._renderer.finish()

    @property
    def panel(self) -> str | None:
        """The panel whose picture is shown; None if no picture is written."""
        return self._panel.currentData() if self._job is not None and self._job.has_pictures else None

    def show_panel(self, panel: str) -> None:
        """Show the picture of this panel if the job has one."""
        self._panel.setCurrentIndex(max(0, self._panel.findData(panel)))

    def show_job(self, job: ExportJob) -> None:
        """Show the pictures of this job, after the delay."""
        names = [self._panel.itemData(index) for index in range(self._panel.count())]
        if tuple(names) != job.drawn:
            self._fill(job.drawn)
        self._job = job
        self._panel.setEnabled(job.has_pictures and len(job.drawn) > 1)
        self.names_line.show_sentence(", ".join(file.name for file in job.files()))
        self._render_soon()

    def _fill(self, panels: tuple[str, ...]) -> None:
        shown = self._panel.currentData()
        self._panel.clear()
        for panel in panels:
            self._panel.addItem("Figure" if panel == FIGURE_NAME else PANELS[panel].title, panel)
        self.show_panel(shown)

    def _on_panel_chosen(self) -> None:
        self._renderer.forget()  # the values of the other panel
        self._render_soon()

    def _show_size(self) -> None:
        """Show the size of the picture, and its progress while it is computed."""
        standing = self._renderer.standing
        self.size_line.show_sentence(f"{self._size} · {standing}" if standing else self._size)

    def _render_soon(self) -> None:
        self._timer.start()

    def _render_more(self) -> None:
        """Update the picture after the delay, which further results do not extend."""
        if not self._timer.isActive():
            self._timer.start()

    def _render(self) -> None:
        """Draw the picture, or show the reason that prevents it."""
        job, panel = self._job, self.panel
        if job is None or panel is None:
            self._renderer.forget()
            self.canvas.show_words("No picture is written")
            self._size = ""
        else:
            try:
                image, size = fitted_image(
                    job.picture(panel), job.options_for(panel), self.canvas.room, self.devicePixelRatioF(),
                    self._renderer,
                )  # fmt: skip
            except (FileError, MemoryError) as error:
                self.canvas.show_words(str(error))
                self._size = ""
            else:
                self.canvas.show_image(image, job.options.style)
                names = [file.name for file in job.files() if file.panel == panel]
                self._size = f"{', '.join(names)}: {size_sentence(size, job.options, job.formats)}"
        self._show_size()
        self.rendered.emit()

    def _lay_out(self) -> None:
        label = SmallLabel("Pre&view")
        label.setBuddy(self._panel)
        column = column_of(self, self.canvas, self.size_line, self.names_line)
        column.setStretchFactor(self.canvas, 1)
        column.insertLayout(0, row_of(label, self._panel, None))


class PictureCanvas(QWidget):
    """A card with a picture in the centre, on a chequerboard for transparent parts."""

    resized = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.image = QImage()
        self._picture_style = present_style()
        self._words = ""
        self.setAccessibleName("Preview")
        self.setMinimumSize(240, 160)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)

    @property
    def room(self) -> QSize:
        """The largest size of a picture that fits."""
        return QSize(max(1, self.width() - 2 * _MARGIN), max(1, self.height() - 2 * _MARGIN))

    def show_image(self, image: QImage, style: Style) -> None:
        """Show this picture, which is drawn in that style."""
        self.image, self._picture_style, self._words = image, style, ""
        self.update()

    def show_words(self, words: str) -> None:
        """Show these words instead of a picture."""
        self.image, self._words = QImage(), words
        self.update()

    def picture_rect(self) -> QRectF:
        """The rectangle of the picture in pixels of the widget."""
        size = self.image.deviceIndependentSize()
        rect = QRectF(QPointF(), size.scaled(QSizeF(self.room).boundedTo(size), Qt.AspectRatioMode.KeepAspectRatio))
        rect.moveCenter(QRectF(self.rect()).center())
        return QRectF(rect.topLeft().toPoint(), rect.size())

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.resized.emit()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        style = present_style()
        painter.setPen(QColor(style.border))
        painter.setBrush(QColor(style.field))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self.image.isNull():
            painter.setPen(QColor(style.muted))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, self._words)
        else:
            rect = self.picture_rect()
            if self.image.hasAlphaChannel():
                _draw_checks(painter, rect, self._picture_style)
            painter.drawImage(rect, self.image)
            painter.setPen(QColor(style.border))
            painter.drawRect(rect.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.end()


def size_sentence(size: QSizeF, options: PictureOptions, formats: tuple[str, ...]) -> str:
    """The size of the picture in millimetres, and for PNG in pixels."""
    parts = [" × ".join(f"{side * _MM_A_PIXEL:.1f}".removesuffix(".0") for side in size.toTuple()) + " mm"]
    if "png" in formats:
        width, height = (round(side * options.pixel_scale) for side in (size.width(), size.height()))
        scale = f"{options.dpi:g} dpi" if options.dpi else f"{options.scale:g}×"
        parts.append(f"{width:,} × {height:,} px at {scale}")
    return " · ".join(parts)


def _draw_checks(painter: QPainter, rect: QRectF, style: Style) -> None:
    """Paint a chequerboard in the colours of the style: a transparent picture suits a background like its theme's."""
    painter.save()
    painter.setClipRect(rect)
    painter.fillRect(rect, QColor(style.paper))
    columns, rows = int(rect.width() / _CHECK_PX) + 1, int(rect.height() / _CHECK_PX) + 1
    for row in range(rows):
        for column in range(row % 2, columns, 2):
            corner = rect.topLeft() + QPointF(column * _CHECK_PX, row * _CHECK_PX)
            painter.fillRect(QRectF(corner, QSizeF(_CHECK_PX, _CHECK_PX)), QColor(style.grid))
    painter.restore()
