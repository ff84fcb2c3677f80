"""Pictures of slow tables, computed beside the window, which shows the parts that are known."""

from PySide6.QtCore import QObject, QTimer, Signal

from posenc_core.progressive import PartialWork
from posenc_core.tables import LONG_WORK, Cancelled, UnreadableError, never_cancelled
from posenc_gui.figures.rendering.jobs import RenderJob
from posenc_gui.figures.rendering.requests import Rendered, RenderRequest

_REST_MS = 30
"""Delay in ms before a picture is begun: during a drag, another request follows at once."""

_POLL_MS = 100
"""Interval in ms between two repaints of the progress: painting must leave time to compute."""

_KEPT = 4
"""Number of pictures kept for a user who zooms in and out again."""

WIDEST_WORDS = "the table has -inf in row 99999999, column 99999"
"""The longest progress note. The figure's size must not depend on the progress: a new size needs a new picture."""


class _Lane:
    """The pictures of one figure: ``kept`` by request, among them that of ``request``, None without a slow picture."""

    def __init__(self) -> None:
        self.request: RenderRequest | None = None
        self.kept: dict[RenderRequest, PartialWork] = {}

    @property
    def partial(self) -> PartialWork | None:
        """The picture on the screen; None for no slow picture."""
        return None if self.request is None else self.kept[self.request]

    @property
    def is_unfinished(self) -> bool:
        """Whether parts of the picture on the screen are missing."""
        return self.partial is not None and not self.partial.is_finished

    def want(self, request: RenderRequest) -> PartialWork:
        """The kept picture of the request, or a new one with all parts that kept pictures have; it is now shown."""
        partial = self.kept.pop(request, None)
        if partial is None:
            partial = request.begin()
            for other in reversed(self.kept.values()):
                partial.adopt(other)
        self.kept[request] = partial
        for old in list(self.kept)[:-_KEPT]:
            del self.kept[old]
        self.request = request
        return partial

    def leave(self) -> None:
        """Show no slow picture; drop the picture if no part of it is known."""
        if self.partial is not None and self.request is not None and not self.partial.known.any():
            del self.kept[self.request]
        self.request = None


class BackgroundRenderer(QObject):
    """Computes pictures of slow tables one at a time, for each figure only its newest request.

    ``arrived`` is emitted when more parts are known, ``changed`` when ``standing`` or the buttons may have changed.
    """

    arrived = Signal()
    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lanes: dict[int, _Lane] = {}
        self._stopped = set[RenderRequest]()
        self._job: RenderJob | None = None
        self._ending: list[RenderJob] = []
        self._percent_shown = 0
        self._rest, self._poll = QTimer(self), QTimer(self)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self.changed)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._begin)
        self._poll.setInterval(_POLL_MS)
        self._poll.timeout.connect(self._look_at_job)

    def render(self, request: RenderRequest, before: Rendered | None, lane: int = 0) -> Rendered:
        """The picture if it is cheap; else its known parts, or ``before`` itself if no further part is known.

        The request replaces the previous one of the ``lane``. Figures beside each other have a lane each.
        """
        own = self._lanes.setdefault(lane, _Lane())
        if request.work > LONG_WORK or request == own.request:
            partial = self._partial(own, request)
        else:
            self._leave(own)
            try:
                return Rendered(request.compute())
            except UnreadableError:  # show the rows that can be read
                partial = self._partial(own, request)
                self._rest.stop()
                partial.grow(never_cancelled)
        if before is not None and before.shows(partial):
            return before
        known, refused = partial.known.copy(), partial.refused.copy()  # flags first: known parts do not change
        picture = request.assemble(partial.arrays, known)
        return Rendered(picture) if known.all() else Rendered(picture, known, refused)

    def _partial(self, lane: _Lane, request: RenderRequest) -> PartialWork:
        """The known parts; the missing ones are computed from now on, instead of the lane's previous picture."""
        if request == lane.request:
            return lane.kept[request]
        self._leave(lane)
        partial = lane.want(request)
        if not partial.is_finished and request not in self._stopped:
            self._rest.start()
        self._soon.start()  # after the paint event that made the request
        return partial

    def _leave(self, lane: _Lane) -> None:
        """Stop computing the lane's picture and stop showing it."""
        if lane.partial is None:
            return
        if self._job is not None and self._job.partial is lane.partial:
            self._end_job()
        lane.leave()
        if self.is_busy:
            self._rest.start()
        self.changed.emit()

    def forget(self) -> None:
        """Stop computing, and show no slow picture."""
        for lane in self._lanes.values():
            self._leave(lane)
        self._rest.stop()

    def clear(self, lane: int = 0) -> None:
        """Drop the pictures of a lane, after a change of the encoding."""
        if lane in self._lanes:
            self._leave(self._lanes[lane])
            del self._lanes[lane]
        self._stopped.clear()

    def finish(self) -> None:
        """Stop computing and wait for all threads."""
        self.forget()
        for job in self._ending:
            job.join()
        self._ending.clear()

    def stop(self) -> None:
        """Stop computing and keep the known parts on the screen."""
        if self.is_busy:
            self._rest.stop()
            self._stopped |= {lane.request for lane in self._unfinished if lane.request is not None}
            if self._job is not None:  # its started parts arrive a moment later
                self._job.is_wanted = False
            self._tell()

    def go_on(self) -> None:
        """Compute the rest of the pictures that were stopped."""
        if self.is_stopped:
            self._end_job()
            self._stopped.clear()
            self._begin()

    def _tell(self) -> None:
        self.arrived.emit()
        self.changed.emit()

    @property
    def is_busy(self) -> bool:
        """Whether a picture is being computed or about to be."""
        return any(lane.request not in self._stopped for lane in self._unfinished)

    @property
    def is_stopped(self) -> bool:
        """Whether the user stopped the missing parts on the screen."""
        return bool(self._unfinished) and not self.is_busy

    @property
    def _unfinished(self) -> list[_Lane]:
        return [lane for lane in self._lanes.values() if lane.is_unfinished]

    @property
    def standing(self) -> str:
        """The progress of the pictures on the screen, or why a part is missing; empty for complete ones."""
        shown = [lane.partial for lane in self._lanes.values() if lane.partial is not None]
        if all(partial.known.all() for partial in shown):
            return ""
        if all(partial.is_finished for partial in shown):  # the last part may have come since the line above
            return next((partial.problem for partial in shown if partial.problem), "").split(";")[0]
        return f"stopped at {self._percent}\u00a0%" if self.is_stopped else f"{self._percent}\u00a0% done"

    def widest(self, note: str) -> str:
        """The longest note while the pictures are computed, for the present one."""
        standing = self.standing
        return note.replace(standing, WIDEST_WORDS) if standing else " · ".join(filter(None, (note, WIDEST_WORDS)))

    @property
    def _percent(self) -> int:
        """Progress of all pictures on the screen, 0..99."""
        shown = [lane.partial for lane in self._lanes.values() if lane.partial is not None]
        work, left = (sum(each) for each in zip(*((each.work, each.work_left) for each in shown), strict=True))
        return min(99, 100 * (work - left) // max(1, work))

    def _begin(self) -> None:
        lane = next((each for each in self._unfinished if each.request not in self._stopped), None)
        if lane is not None and lane.partial is not None and self._job is None:
            self._job, self._percent_shown = RenderJob(lane.partial), 0
            self._poll.start()
            self.changed.emit()

    def _end_job(self) -> None:
        self._rest.stop()
        self._poll.stop()
        if self._job is not None:
            self._job.is_wanted = False
            self._ending = [*(job for job in self._ending if job.is_alive), self._job]
            self._job = None

    def _look_at_job(self) -> None:
        """Show the parts that have arrived; raise an error of the thread, which has no sentence for the user."""
        job = self._job
        if job is None:
            return
        is_alive, percent = job.is_alive, self._percent
        if not is_alive:
            self._end_job()
            if job.error is not None:
                ended = (lane.request for lane in self._lanes.values() if lane.partial is job.partial)
                self._stopped |= {request for request in ended if request is not None}
            self._begin()
        if not is_alive or percent != self._percent_shown:
            self._percent_shown = percent
            self._tell()
        if not is_alive and job.error is not None and not isinstance(job.error, Cancelled):
            raise job.error
