"""An example of an encoding: a working, commented file."""

from pathlib import Path

EXAMPLE = '''\
"""A positional encoding of my own. File > Open encoding (Python) shows it, and shows it anew after an edit."""

from dataclasses import dataclass

import numpy as np
from posenc_core import Encoding
from posenc_core.fields import D_MODEL, RealField

# A parameter: the window makes an editor and a slider of it, the command line a flag, --rate.
RATE = RealField(
    name="rate", label="&rate", help="Fading per token.", default=0.05, above=0.0, slider=(0.001, 1.0), logarithmic=True
)


@dataclass(frozen=True)
class FadingWaves(Encoding):
    """Triangle waves that fade: ``exp(-rate p)`` times a wave with the period ``2^(c + 2)`` in column c."""

    d_model: int = 8
    rate: float = 0.05

    family = "fading_waves"  # the name in sessions and on the command line
    title = "Fading waves"
    summary = "Triangle waves of doubling periods, each fading with the position."
    FIELDS = (D_MODEL, RATE)  # the parameters above, in the same order

    def values(self, positions, columns):
        """The entries, float64 (n_positions, n_columns); both arguments are arrays of integers in any order."""
        turns = np.divide.outer(positions, 2.0 ** (columns + 2))
        return np.exp(-self.rate * np.maximum(positions, 0))[:, None] * (4 * np.abs(turns % 1 - 0.5) - 1)
'''


def write_example(path: Path) -> None:
    """Write the example to a new file; FileExistsError for one that exists, OSError if it cannot be written."""
    with path.open("x", encoding="utf-8") as stream:
        stream.write(EXAMPLE)
