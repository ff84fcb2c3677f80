"""The contrast of every text with its background."""

import pytest
from PySide6.QtGui import QColor

from posenc_gui.look.style import DARK, LIGHT


def luminance(colour: str) -> float:
    parts = QColor(colour).getRgbF()[:3]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """As the Web Content Accessibility Guidelines 2.1 define it, 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_words_have_a_contrast_of_at_least_4_5(style):
    texts = {"ink": style.ink, "muted": style.muted, "accent": style.accent}
    texts |= {"error": style.error, "warning": style.warning}
    texts |= {part: style.part_text(part).name() for part in ("sin", "cos", "zero")}
    texts |= {f"token {index}": colour for index, colour in enumerate(style.token_cycle)}
    low = {
        (name, ground): round(contrast(colour, getattr(style, ground)), 2)
        for name, colour in texts.items()
        for ground in ("paper", "ground")
        if contrast(colour, getattr(style, ground)) < 4.5
    }
    assert not low
    assert contrast(style.on_accent, style.accent) >= 4.5


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_curves_stand_out_from_their_ground(style):
    assert contrast(style.sine, style.paper) >= 3
    assert contrast(style.cosine, style.paper) >= 3
    assert len(set(style.token_cycle)) == len(style.token_cycle)
