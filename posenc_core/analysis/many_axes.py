"""Sinusoids of the rows and columns of a picture, for scripts; RoPE on several axes is a family of encodings."""

import numpy as np

from posenc_core.encodings import Sinusoidal
from posenc_core.fields import check_index, check_position
from posenc_core.numerics import FloatArray


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
