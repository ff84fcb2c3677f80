"""Pictures of a figure: computed when it paints, slow ones in a thread."""

from collections.abc import Callable
from typing import Any

from posenc_core.tables import LONG_WORK, ProgressCallback
from posenc_gui.figures.rendering.jobs import computed
from posenc_gui.figures.rendering.progressive import BackgroundRenderer
from posenc_gui.figures.rendering.requests import Rendered, RenderRequest

Request = Callable[[float, bool], RenderRequest | None]
"""The request for a picture at a number of device pixels per logical pixel, for a vector file if True."""


class PictureRenderer:
    """Supplies a figure with its pictures during painting.

    ``request(scale, vector)`` is the figure's picture for a file or a screen; None if there is no value. With a
    ``background``, slow pictures are computed in a thread; without it, as in files, pictures are complete.
    ``lane`` identifies the figure among those that share the background.
    """

    lane = 0
    _others: tuple["PictureRenderer", ...] = ()

    def __init__(self, request: Request) -> None:
        self.background: BackgroundRenderer | None = None
        self._request = request
        self._last: tuple[RenderRequest, Rendered] | None = None

    def use(self, background: BackgroundRenderer | None) -> None:
        """Let this renderer compute slow pictures; None to compute them at once."""
        self.background = background
        for other in self._others:
            other.use(background)

    def share(self, *others: "PictureRenderer") -> None:
        """Let these renderers of the same figure use the same background, each in a separate lane."""
        for lane, other in enumerate(others, self.lane + 1):
            other.lane = lane
        self._others = others

    def render(self, request: RenderRequest) -> Rendered:
        """The picture, or its known parts; the same object until there is more to show."""
        before = None if self._last is None or self._last[0] != request else self._last[1]
        if before is not None and before.known is None:
            return before
        background = self.background if request.work else None
        rendered = Rendered(request.compute()) if background is None else background.render(request, before, self.lane)
        self._last = (request, rendered)
        return rendered

    def known(self, request: RenderRequest | None) -> Any:
        """The picture as far as the last painting knew of it; None before that."""
        return None if self._last is None or self._last[0] != request else self._last[1].picture

    def prepare(self, scale: float, vector: bool, progress: ProgressCallback) -> None:
        """Compute the picture of a slow table before a file is painted; Cancelled once ``progress`` returns False."""
        request = self._request(scale, vector)
        if request is not None and request.work:
            self._last = (request, Rendered(computed(request, progress)))

    def clear(self) -> None:
        """Forget all pictures: the encoding has changed."""
        self._last = None
        if self.background is not None:
            self.background.clear(self.lane)
        for other in self._others:
            other.clear()

    def standing(self, scale: float) -> str:
        """The progress of the picture on the screen; empty for a complete one."""
        return "" if self.background is None or not self._work(scale) else self.background.standing

    def takes_long(self, scale: float) -> bool:
        """Whether the picture on the screen is computed beside the window."""
        own = self.background is not None and self._work(scale) > LONG_WORK
        return own or any(other.takes_long(scale) for other in self._others)

    def _work(self, scale: float) -> int:
        request = self._request(scale, False)
        return 0 if request is None else request.work
