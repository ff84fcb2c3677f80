"""The Matplotlib script of the spectrum, which computes the wavelengths."""

from collections.abc import Sequence

import numpy as np

from posenc_core import Document, Encoding
from posenc_core.explain import NUMPY, Snippet, number_list, template_lines
from posenc_core.fields import one_line
from posenc_core.long_context import n_wavelengths
from posenc_core.scripts import PYPLOT, assembled, head_of, scaled_lines, trained_lines
from posenc_gui.figures.lines import Plot, axis_lines, subplots_lines, written_line
from posenc_gui.look import Style
from posenc_gui.panels.spectrum.plots import drawn_encodings

_SLOWED = (
    "slowed = np.divide(trained, frequencies, out=np.ones(len(trained)), where=frequencies != 0)",
    "axes[1, 0].plot(np.arange(len(slowed)), slowed, **style)",
)


def spectrum_script(document: Document, title: str, plots: Sequence[Plot], style: Style) -> str:
    """A script that computes the wavelength of each pair and its slowdown by a scaling, and draws the plots.

    The first plot has a line for each encoding; a second plot has the slowdowns.
    """
    encodings = [each.encoding for each in drawn_encodings(document)]
    body, before = Snippet(("lines = []  # label, colour, width, dashes, rates in training, rates now",)), Snippet(())
    for encoding, line in zip(encodings, plots[0].lines, strict=True):
        trained, whole = _rates(encoding), f"[:{n_wavelengths(encoding)}]"
        body += Snippet(("", f"# {one_line(line.name)}"))
        if trained != before:
            body += trained + Snippet(("trained = frequencies",))
        appended = f"lines.append(({written_line(line, style)}, trained{whole}, frequencies{whole}))"
        body += scaled_lines(encoding) + Snippet((appended,))
        before = trained
    axes = [line for at, plot in enumerate(plots) for line in axis_lines(at, plot)]
    slowed = _SLOWED if len(plots) > 1 else ()
    lines = template_lines(__file__, "copied", subplots=subplots_lines(plots), slowed=slowed, axes=axes)
    return assembled(head_of(encodings[0]), body + Snippet(lines, (PYPLOT,)), NUMPY)


def _rates(encoding: Encoding) -> Snippet:
    """Lines that define the ``frequencies`` of training of the whole pairs."""
    if encoding.rotation is not None or (encoding.pairs is not None and encoding.cells is None):
        return trained_lines(encoding)
    listed = number_list(np.asarray(encoding.frequencies()).tolist()).replace("inf", "np.inf")
    return Snippet((f"frequencies = np.array({listed})  # rad per step of the pair's axis",))
