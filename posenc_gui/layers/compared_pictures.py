"""The pictures of two tables and of their difference, computed together where they take long."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import replace

from posenc_core import Encoding
from posenc_core.progressive import Arrays, Flags, PartialPictures, PartialWork
from posenc_gui.figures.figure import PictureRenderer
from posenc_gui.figures.progressive import Rendered, RenderRequest
from posenc_gui.layers.compared import wrapped
from posenc_gui.layers.grid import Grid


class AngleDifference(Struct, frozen=True):
    """The angles of a grid's pairs minus those of another encoding's."""

    grid: Grid
    subtracted: Encoding

    @property
    def work(self) -> int:
        """0: angles come from formulas."""
        return 0

    def compute(self) -> npt.NDArray[Any]:
        """The differences, in (-pi, pi]; of mean directions, as complex numbers, the quotient."""
        one, other = self.grid.compute(), replace(self.grid, encoding=self.subtracted).compute()
        return one * np.conj(other) if np.iscomplexobj(one) else wrapped(np.asarray(one, np.float64) - other)

    def begin(self) -> PartialWork:
        """The pictures of formulas have no parts."""
        return self.grid.begin()

    def assemble(self, arrays: Arrays, known: Flags) -> npt.NDArray[Any]:
        """The picture."""
        return self.compute()


class JointRequest(Struct, frozen=True):
    """Several pictures that are shown side by side, computed as one; None where there is nothing to draw."""

    requests: tuple[RenderRequest | None, ...]

    @property
    def work(self) -> int:
        """The number of entries that all pictures read one by one."""
        return sum(request.work for request in self.requests if request is not None)

    def compute(self) -> tuple[Any, ...]:
        """The pictures."""
        return tuple(None if request is None else request.compute() for request in self.requests)

    def begin(self) -> PartialPictures:
        """The pictures that take long, to be computed part by part."""
        return PartialPictures([request.begin() for request in self._slow])

    def assemble(self, arrays: Arrays, known: Flags) -> tuple[Any, ...]:
        """The pictures as far as the parts are known."""
        found, first, at = list[Any](), 0, 0
        for request in self.requests:
            if request is None or not request.work:
                found.append(None if request is None else request.compute())
                continue
            n_parts, n_arrays = _sizes(request)
            found.append(request.assemble(arrays[at : at + n_arrays], known[first : first + n_parts]))
            first, at = first + n_parts, at + n_arrays
        return tuple(found)

    def split(self, rendered: Rendered) -> tuple[Rendered, ...]:
        """Each picture by itself, with its own flags."""
        found, first = [], 0
        for request, picture in zip(self.requests, rendered.picture, strict=True):
            if request is None or not request.work or rendered.known is None or rendered.refused is None:
                found.append(Rendered(picture))
                continue
            some = slice(first, first := first + _sizes(request)[0])
            known, refused = rendered.known[some], rendered.refused[some]
            found.append(Rendered(picture) if known.all() else Rendered(picture, known, refused))
        return tuple(found)

    @property
    def _slow(self) -> tuple[RenderRequest, ...]:
        return tuple(request for request in self.requests if request is not None and request.work)


class JointRenderer(PictureRenderer):
    """Gives a figure the pictures of a ``JointRequest`` one by one."""

    _split: tuple[Rendered, tuple[Rendered, ...]] | None = None

    def render_one(self, request: JointRequest, which: int) -> Rendered:
        """One of the pictures, or its known parts; the same object until there is more to show."""
        rendered = self.render(request)
        if self._split is None or self._split[0] is not rendered:
            self._split = (rendered, request.split(rendered))
        return self._split[1][which]


@lru_cache(maxsize=16)
def _sizes(request: RenderRequest) -> tuple[int, int]:
    """The number of parts and of arrays of a picture that takes long."""
    partial = request.begin()
    return len(partial.known), len(partial.arrays)
