"""SPECTRUM: the wavelength of each rotary pair as trained and under scalings, against the two lengths."""

from posenc_core import Document, Rotary
from posenc_gui.model import TARGET_LENGTHS, Need, PanelSpec, every_encoding, has_wavelengths, texts_beside

_LENGTHS = ("trained_length", "target_length")


def _used(document: Document) -> tuple[str, ...]:
    return _LENGTHS if document.encoding.rotation is None else (*_LENGTHS, "compared_scalings")


SPEC = PanelSpec(
    **texts_beside(__package__),
    least_size=(300, 240),
    export_size=(720, 560),
    needs=Need("Spectrum needs pairs that turn with the position.", "Show RoPE", Rotary.family),
    course=TARGET_LENGTHS,
    controls=(*_LENGTHS, "compared_scalings"),
    find_used=_used,
    suits=has_wavelengths,
    drawn=every_encoding,
)
