"""Queries and keys turned pair by pair."""

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from posenc_core.fields import check_positions, shortened

if TYPE_CHECKING:
    from posenc_core.encodings.rotary import Rotary


def rotated(encoding: "Rotary", x: Any, positions: Any) -> npt.NDArray[np.floating[Any]]:
    """As ``Rotary.rotate``, which says what is taken and what comes back."""
    given = np.asarray(x)
    rows = check_positions(positions)
    if given.dtype.kind not in "iuf":
        raise TypeError(f"x must be an array of real numbers, got {given.dtype}")
    if given.shape[-2:] != (len(rows), encoding.head_dim):
        raise ValueError(
            f"x must have the shape (..., {len(rows)}, {encoding.head_dim}) for {len(rows)} positions "
            f"and head_dim = {encoding.head_dim}, got {shortened(given.shape)}"
        )
    single = given.dtype in (np.float16, np.float32)
    working: npt.NDArray[Any] = given.astype(np.float32 if single else np.float64)
    table: npt.NDArray[Any] = (encoding.encode if single else encoding.values)(rows, np.arange(encoding.n_columns))
    first, second = _members(encoding)
    cosine, sine = table[:, first], table[:, second]
    turned = working.copy()
    turned[..., first] = working[..., first] * cosine - working[..., second] * sine
    turned[..., second] = working[..., first] * sine + working[..., second] * cosine
    return turned.astype(given.dtype if given.dtype.kind == "f" else np.float64, copy=False)


def _members(encoding: "Rotary") -> tuple[slice, slice]:
    """The columns of all pairs' first and second members."""
    if encoding.pairing == "interleaved":
        return slice(0, encoding.n_columns, 2), slice(1, encoding.n_columns, 2)
    return slice(0, encoding.n_pairs), slice(encoding.n_pairs, encoding.n_columns)
