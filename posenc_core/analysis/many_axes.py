"""Positions with several coordinates: rows and columns of an image; time, height and width of a video.

For scripts; the window shows positions on one axis.
"""

from collections.abc import Sequence

import numpy as np

from posenc_core.encodings import Rotary, Sinusoidal
from posenc_core.fields import check_index, check_position, shortened
from posenc_core.numerics import FloatArray, IntArray, geometric_frequencies
from posenc_core.rope_scaling import HEAD_DIM, ROPE_THETA

AXES = ("time", "height", "width")


def sinusoids_2d(
    embed_dim: int, row: int, column: int, base: float = 10000.0, *, rows_first: bool = False
) -> FloatArray:
    """The vector of a patch of an image, float64 ``(embed_dim,)``.

    One half is the concatenated sinusoids of the column, the other those of the row, of length ``embed_dim / 2`` each.
    The column comes first, as in MAE and MoCo v3; with ``rows_first`` the row, as in transformers' ViT-MAE.
    ValueError unless ``embed_dim`` is divisible by 4. Source: facebookresearch/mae, ``get_2d_sincos_pos_embed``.
    """
    if check_index(embed_dim, "embed_dim") % 4 or embed_dim < 4:
        raise ValueError(f"embed_dim must be divisible by 4 for a 2-D sin/cos code, got {embed_dim}")
    half = Sinusoidal(embed_dim // 2, base, "concatenated")
    places = np.array([check_position(place) for place in ((row, column) if rows_first else (column, row))])
    return half.values(places, np.arange(half.n_columns)).reshape(-1)


def axial_frequencies(head_dim: int, rope_theta: float = 10000.0) -> FloatArray:
    """The frequencies that rows and columns share in axial RoPE, float64 ``(head_dim / 4,)`` in rad per patch.

    ``theta_i = rope_theta ** (-2i / (head_dim / 2))``. ValueError unless ``head_dim`` is divisible by 4. Source:
    transformers, ``rope_type: "axial"`` (Qwen2.5-VL's and Pixtral's vision towers).
    """
    HEAD_DIM.check(head_dim)
    ROPE_THETA.check(rope_theta)
    if head_dim % 4:
        raise ValueError(f"head_dim must be divisible by 4 for axial RoPE, got {head_dim}")
    return geometric_frequencies(rope_theta, 0, 2, head_dim // 4, head_dim // 2)


def section_axes(sections: Sequence[int], n_pairs: int, *, interleaved: bool = False) -> IntArray:
    """The index in ``AXES`` of each pair's coordinate in multimodal RoPE, int64 ``(n_pairs,)``.

    ``sections`` are the numbers of pairs of time, height and width. Contiguous, they come one after the other
    (Qwen2-VL); ``interleaved``, the pairs i with i mod 3 = 1 below three times the second number are the height's,
    those with i mod 3 = 2 below three times the third the width's, all others the time's (Qwen3-VL). ValueError
    unless they are three numbers >= 0 that sum to ``n_pairs``.
    """
    sizes = [check_index(size, "mrope_section") for size in sections]
    if len(sizes) != len(AXES) or min(sizes) < 0:
        raise ValueError(f"mrope_section must be three integers >= 0, got {shortened(sizes)}")
    if sum(sizes) != n_pairs:
        raise ValueError(f"mrope_section must sum to rotary_dim/2 = {n_pairs}, got {sum(sizes)}")
    if not interleaved:
        return np.repeat(np.arange(len(AXES)), sizes)
    pairs = np.arange(n_pairs)
    axes = pairs % len(AXES)
    return np.where(pairs < len(AXES) * np.array(sizes)[axes], axes, 0)


def multimodal_angles(
    rotary: Rotary, sections: Sequence[int], place: tuple[int, int, int], *, interleaved: bool = False
) -> FloatArray:
    """The angle of each pair at a place (time, height, width), float64 ``(n_pairs,)`` in rad.

    ``section_axes`` assigns the pairs to the coordinates; three equal coordinates, as for text, give the angles of
    ``rotary``. Sources: transformers, Qwen2-VL and Qwen3-VL.
    """
    axes = section_axes(sections, rotary.pairs.n_pairs, interleaved=interleaved)
    coordinates = np.array([check_position(coordinate) for coordinate in place])
    angles: FloatArray = rotary.direction * rotary.pairs.frequencies * coordinates[axes]
    return angles
