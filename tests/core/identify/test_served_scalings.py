"""Scalings of serving engines and YaRN papers are read from frequencies and caches, in each number format."""

import numpy as np
import pytest
from own_code import bfloat16

from posenc_core import Rotary, identify, table
from posenc_core.identify import search
from posenc_core.rope_scaling import FrequencyDivisors, Linear, NtkByParts, ServedNtk, ThetaScale, YarnLog

MEANT = [
    Rotary(128, 1e4, scaling=YarnLog(16.0, 4096)),
    Rotary(64, 5e5, scaling=YarnLog(4.0, 8192)),
    Rotary(64, 1e4, scaling=YarnLog(8.0, 4096, 16.0, 2.0)),
    Rotary(64, 5e5, scaling=YarnLog(4.0, 8192, truncate=False)),
    Rotary(128, 1e4, scaling=ServedNtk(8.0, 0.625)),
    Rotary(64, 1e6, scaling=ServedNtk(4.0, 0.5)),
    Rotary(64, 1e4, scaling=ServedNtk(4.0)),
    Rotary(128, 1e4, scaling=ThetaScale(4.0, 8192)),
    Rotary(96, 5e5, scaling=ThetaScale(32.0, 4096)),
]


def forms(meant):
    """Frequencies and a cache, in float64 and float32."""
    rows = table(meant, range(64))
    return [meant.frequencies(), meant.frequencies().astype(np.float32), rows, rows.astype(np.float32)]


@pytest.mark.parametrize("meant", MEANT, ids=lambda meant: f"{meant.scaling}")
def test_scalings_of_serving_engines_are_read(meant):
    for numbers in forms(meant):
        finding = identify(numbers)
        assert finding.is_right, finding.sentences
        assert meant in (finding.encoding, *finding.also), finding.sentences


@pytest.mark.parametrize("scaling", [NtkByParts(4.0, 4096), YarnLog(16.0, 4096), YarnLog(2.0, 8192)], ids=str)
def test_usual_ramps_are_read_from_a_cache_in_bfloat16(scaling):
    meant = Rotary(128, 1e4, scaling=scaling)
    finding = identify(bfloat16(table(meant, range(64))))
    assert (finding.is_right, finding.encoding) == (True, meant), finding.sentences


@pytest.mark.parametrize("meant", [Rotary(64, 17500.0), Rotary(64, 12345.0), Rotary(64, 1e4, scaling=Linear(4.0))])
def test_a_base_or_one_factor_for_all_pairs_is_not_read_as_a_scaling_of_serving_engines(meant):
    assert identify(meant.frequencies().astype(np.float32)).encoding == meant


def test_few_readings_are_tried_for_a_coarse_cache_of_both_orders(monkeypatch):
    """Sines and cosines that are exchanged seem to run backwards, with ramps that 16 bits do not tell."""
    tried, counted = [], search.tried_law
    monkeypatch.setattr(search, "tried_law", lambda *given: tried.append(given[1]) or counted(*given))
    slowed = FrequencyDivisors((1.0,) * 20 + (8.0,) * 20)
    angles = np.multiply.outer(np.arange(100), Rotary(80, 1e7, scaling=slowed).frequencies())
    waves = [bfloat16(np.repeat(wave(angles), 2, axis=1)) for wave in (np.cos, np.sin)]
    assert identify((waves[0], waves[1])).is_right
    assert len(tried) < 1000
