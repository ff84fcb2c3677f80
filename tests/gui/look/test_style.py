"""The contrast of every text with its background, and how far apart the colours of tokens are."""

from itertools import combinations, product

import numpy as np
import pytest
from colour_difference import ciede2000, lab
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


SHARMA = [
    ((50, 2.6772, -79.7751), (50, 0, -82.7485), 2.0425),
    ((50, 3.1571, -77.2803), (50, 0, -82.7485), 2.8615),
    ((50, 2.8361, -74.0200), (50, 0, -82.7485), 3.4412),
    ((50, -1.3802, -84.2814), (50, 0, -82.7485), 1.0000),
    ((50, -1.1848, -84.8006), (50, 0, -82.7485), 1.0000),
    ((50, -0.9009, -85.5211), (50, 0, -82.7485), 1.0000),
    ((50, 0, 0), (50, -1, 2), 2.3669),
    ((50, -1, 2), (50, 0, 0), 2.3669),
    ((50, 2.4900, -0.0010), (50, -2.4900, 0.0009), 7.1792),
    ((50, 2.4900, -0.0010), (50, -2.4900, 0.0011), 7.2195),
    ((50, -0.0010, 2.4900), (50, 0.0009, -2.4900), 4.8045),
    ((50, -0.0010, 2.4900), (50, 0.0011, -2.4900), 4.7461),
    ((50, 2.5, 0), (50, 0, -2.5), 4.3065),
    ((50, 2.5, 0), (73, 25, -18), 27.1492),
    ((50, 2.5, 0), (61, -5, 29), 22.8977),
    ((50, 2.5, 0), (56, -27, -3), 31.9030),
    ((50, 2.5, 0), (58, 24, 15), 19.4535),
    ((50, 2.5, 0), (50, 3.1736, 0.5854), 1.0000),
    ((60.2574, -34.0099, 36.2677), (60.4626, -34.1751, 39.4387), 1.2644),
    ((63.0109, -31.0961, -5.8663), (62.8187, -29.7946, -4.0864), 1.2630),
    ((61.2901, 3.7196, -5.3901), (61.4292, 2.2480, -4.9620), 1.8731),
    ((35.0831, -44.1164, 3.7933), (35.0232, -40.0716, 1.5901), 1.8645),
    ((22.7233, 20.0904, -46.6940), (23.0331, 14.9730, -42.5619), 2.0373),
    ((36.4612, 47.8580, 18.3852), (36.2715, 50.5065, 21.2231), 1.4146),
    ((90.8027, -2.0831, 1.4410), (91.1528, -1.6435, 0.0447), 1.4441),
    ((90.9257, -0.5406, -0.9208), (88.6381, -0.8985, -0.7239), 1.5381),
    ((6.7747, -0.2908, -2.4247), (5.8714, -0.0985, -2.2286), 0.6377),
    ((2.0776, 0.0795, -1.1350), (0.9033, -0.0636, -0.5514), 0.9082),
]
"""Pairs of colours and their differences, from table 1 of Sharma, Wu and Dalal 2005."""


@pytest.mark.parametrize(("one", "other", "wanted"), SHARMA)
def test_the_colour_difference_is_that_of_published_pairs(one, other, wanted):
    assert ciede2000(np.array(one, float), np.array(other, float)) == pytest.approx(wanted, abs=1e-4)


@pytest.mark.parametrize("style", [LIGHT, DARK], ids=["light", "dark"])
def test_the_first_eight_token_colours_differ_from_each_other_and_from_what_else_has_a_meaning(style):
    tokens = {f"token {index}": style.token(index).name() for index in range(8)}
    others = {name: getattr(style, name) for name in ("sine", "cosine", "cosine_text", "muted", "accent")}
    pairs = [*combinations(tokens.items(), 2), *product(tokens.items(), others.items())]
    close = {
        (one, other): round(ciede2000(lab(colour), lab(second)), 1)
        for (one, colour), (other, second) in pairs
        if ciede2000(lab(colour), lab(second)) < 20
    }
    assert not close
