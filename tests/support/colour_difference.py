"""The difference of two colours as CIEDE2000, after Sharma, Wu and Dalal 2005."""

import numpy as np
from PySide6.QtGui import QColor

_WHITE = np.array([0.95047, 1.0, 1.08883])  # D65, 2 degrees
_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.119192, 0.9503041]]
)


def lab(colour: str) -> np.ndarray:
    """CIE L*, a*, b* of an sRGB colour."""
    parts = np.array(QColor(colour).getRgbF()[:3])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    share = _TO_XYZ @ linear / _WHITE
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def ciede2000(one: np.ndarray, other: np.ndarray) -> float:
    """The difference of two colours in L*, a*, b*; some 2.3 is just noticeable in CIELAB."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    c1, c2 = np.hypot(stretch * a1, b1), np.hypot(stretch * a2, b2)
    h1, h2 = (np.degrees(np.arctan2(b, stretch * a)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = 0.0 if c1 * c2 == 0 else (h2 - h1 + 180) % 360 - 180
    if c1 * c2 != 0 and h2 - h1 == 180:
        turn = 180.0
    lightness, chroma, hue = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    l_mean, c_mean = (l1 + l2) / 2, (c1 + c2) / 2
    h_mean = h1 + h2 if c1 * c2 == 0 else (h1 + h2) / 2
    if c1 * c2 != 0 and abs(h1 - h2) > 180:
        h_mean += 180 if h1 + h2 < 360 else -180
    tilt = (
        1
        - 0.17 * np.cos(np.radians(h_mean - 30))
        + 0.24 * np.cos(np.radians(2 * h_mean))
        + 0.32 * np.cos(np.radians(3 * h_mean + 6))
        - 0.20 * np.cos(np.radians(4 * h_mean - 63))
    )
    s_l = 1 + 0.015 * (l_mean - 50) ** 2 / np.sqrt(20 + (l_mean - 50) ** 2)
    s_c, s_h = 1 + 0.045 * c_mean, 1 + 0.015 * c_mean * tilt
    bend = 30 * np.exp(-(((h_mean - 275) / 25) ** 2))
    turned = -2 * np.sqrt(c_mean**7 / (c_mean**7 + 25.0**7)) * np.sin(np.radians(2 * bend))
    dl, dc, dh = lightness / s_l, chroma / s_c, hue / s_h
    return float(np.sqrt(dl**2 + dc**2 + dh**2 + turned * dc * dh))
