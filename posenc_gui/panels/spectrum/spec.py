"""SPECTRUM: the wavelength of each rotary pair as trained and under scalings, against the two lengths."""

from posenc_core import Document, Rotary
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, every_encoding, has_wavelengths

_LENGTHS = ("trained_length", "target_length")


def _used(document: Document) -> tuple[str, ...]:
    return _LENGTHS if document.encoding.rotation is None else (*_LENGTHS, "compared_scalings")


SPEC = PanelSpec(
    package=__package__,
    title="Spectrum",
    hint="wavelength of each pair",
    explanation=(
        "The upper plot shows the wavelength of each pair: the tokens in which it turns once. One thick line is "
        "the encoding as trained, the other its own scaling; thin lines are scalings from the trained length L to "
        "the target length L′, and the other encodings of A to D. Pairs above the line L did not turn once in "
        "training. The lower plot shows the factor by which a scaling slows each pair."
    ),
    handling="Drag the lines L and L′, or type them.",
    more=(
        "The note names the scaling whose bands are shaded: pairs that are kept, slowed by its largest factor, or "
        "blended. L is the length in the files; the texts in training may have been shorter."
    ),
    least_size=(300, 240),
    export_size=(720, 560),
    needs=Need("Spectrum needs pairs that turn with the position.", "Show RoPE", Rotary.family),
    course=TARGET_LENGTHS,
    controls=(*_LENGTHS, "compared_scalings"),
    find_used=_used,
    suits=has_wavelengths,
    find_drawn=every_encoding,
)
