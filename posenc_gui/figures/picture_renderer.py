"""The pictures that a figure paints: most are computed when they are painted, those of slow tables part by part."""

from collections.abc import Callable

from posenc_core.tables import LONG_WORK, ProgressCallback
from posenc_gui.figures.progressive import BackgroundRenderer, Rendered, RenderRequest, computed


class PictureRenderer:
    """Gives a figure its pictures when it paints.

    ``request(scale, vector)`` is the figure's picture for a file or a screen; None where there is no value. On a
    screen, ``background`` computes the pictures that take long; without it, as in files, pictures are complete.
    """

    def __init__(self, request: Callable[[float, bool], RenderRequest | None]) -> None:
        self.background: BackgroundRenderer | None = None
        self._request = request
        self._last: tuple[RenderRequest, Rendered] | None = None

    def render(self, request: RenderRequest) -> Rendered:
        """The picture, or its known parts; the same object until there is more to show."""
        before = None if self._last is None or self._last[0] != request else self._last[1]
        if before is not None and before.known is None:
            return before
        background = self.background if request.work else None
        rendered = Rendered(request.compute()) if background is None else background.render(request, before)
        self._last = (request, rendered)
        return rendered

    def prepare(self, scale: float, vector: bool, progress: ProgressCallback) -> None:
        """Compute the picture of a slow table before a file is painted; Cancelled once ``progress`` returns False."""
        request = self._request(scale, vector)
        if request is not None and request.work:
            long = request.work > LONG_WORK
            self._last = (request, Rendered(computed(request, progress) if long else request.compute()))

    def clear(self) -> None:
        """Forget all pictures: the encoding has changed."""
        self._last = None
        if self.background is not None:
            self.background.clear()

    def standing(self, scale: float) -> str:
        """The progress of the picture on the screen; empty for a complete one."""
        return "" if self.background is None or not self._work(scale) else self.background.standing

    def takes_long(self, scale: float) -> bool:
        """Whether the picture on the screen is computed beside the window."""
        return self.background is not None and self._work(scale) > LONG_WORK

    def _work(self, scale: float) -> int:
        request = self._request(scale, False)
        return 0 if request is None else request.work
