"""A Matplotlib script that computes the wavelengths of several encodings' pairs and draws them."""

from collections.abc import Sequence

import numpy as np

from posenc_core.encodings import Encoding
from posenc_core.explain import NUMPY, Snippet, number_list
from posenc_core.fields import one_line
from posenc_core.long_context import n_wavelengths
from posenc_core.scripts.line_plots import DrawnLine, DrawnPlot, axis_lines, subplots_lines
from posenc_core.scripts.plots import plain_label
from posenc_core.scripts.snippets import PYPLOT, assembled, filled, head_of, scaled_lines, trained_lines


def spectrum_script(encodings: Sequence[Encoding], plots: Sequence[DrawnPlot]) -> str:
    """A script that computes the wavelength of each pair and its slowdown by a scaling, and draws the plots.

    The first plot has a line for each of the ``encodings``; a second plot has the slowdowns.
    """
    body, before = Snippet(("lines = []  # label, colour, width, dashes, rates in training, rates now",)), Snippet(())
    for encoding, line in zip(encodings, plots[0].lines, strict=True):
        trained = _rates(encoding)
        body += Snippet(("", f"# {one_line(line.label)}"))
        if trained != before:
            body += trained + Snippet(("trained = frequencies",))
        body += _line(encoding, line)
        before = trained
    axes = [line for at, plot in enumerate(plots) for line in axis_lines(at, plot)]
    slowed = _SLOWED if len(plots) > 1 else ()
    lines = filled("spectrum", subplots=subplots_lines(plots), slowed=slowed, axes=axes)
    return assembled(head_of(encodings[0]), body + Snippet(lines, (PYPLOT,)), NUMPY)


_SLOWED = (
    "slowed = np.divide(trained, frequencies, out=np.ones(len(trained)), where=frequencies != 0)",
    "axes[1, 0].plot(np.arange(len(slowed)), slowed, **style)",
)


def _rates(encoding: Encoding) -> Snippet:
    """Lines that define the ``frequencies`` of training of the whole pairs."""
    if encoding.rotation is not None or (encoding.pairs is not None and encoding.cells is None):
        return trained_lines(encoding)
    listed = number_list(np.asarray(encoding.frequencies()).tolist()).replace("inf", "np.inf")
    return Snippet((f"frequencies = np.array({listed})  # rad per step of the pair's axis",))


def _line(encoding: Encoding, line: DrawnLine) -> Snippet:
    """Lines that scale the frequencies of training, if the encoding does, and append the line."""
    whole = f"[:{n_wavelengths(encoding)}]"
    dashes = tuple(round(each, 3) for each in line.dashes)
    style = f"{plain_label(line.label)!r}, {line.colour!r}, {line.width!r}, {dashes!r}"
    appended = f"lines.append(({style}, trained{whole}, frequencies{whole}))"
    return scaled_lines(encoding) + Snippet((appended,))
