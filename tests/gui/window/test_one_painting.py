"""An edit paints each figure of a workspace once: its layout is settled before."""

import pytest
from cases import each_case
from pixels import settle

from posenc_gui.panels import WORKSPACES

SMALL = {"d_model": 16, "head_dim": 16, "trained_length": 128, "target_length": 256}
"""Numbers for which no picture is computed beside the window."""


def drawn(window):
    """The panels of the workspace with a picture, in the order of the alphabet."""
    return sorted(name for name in window.workspaces.seen if window.panels[name].view.isVisible())


@pytest.fixture
def painted(window):
    """The names of the panels that are painted, once per painting."""
    for name in WORKSPACES:
        window.workspaces.choose(name)
        settle()
    names = []
    for panel in window.panels.values():
        panel.painted.connect(lambda panel: names.append(panel.spec.name))
    return names


@each_case("workspace", WORKSPACES)
def test_an_edit_paints_each_figure_of_the_workspace_once(window, painted, workspace):
    window.workspaces.choose(workspace)
    for family, field in (("sinusoidal", "base"), ("rotary", "rope_theta")):
        window.store.edit("family", family)
        for each in window.store.document.fields:
            if each.name in SMALL:
                window.store.edit(each.name, SMALL[each.name])
        settle()
        for base in (5000.0, 5050.0, 700.0):
            painted.clear()
            window.store.edit(field, base)
            settle()
            assert sorted(painted) == drawn(window), family


def test_a_change_of_the_layout_in_an_edit_paints_each_figure_once(window, painted):
    window.workspaces.choose("relations")
    settle()
    for sentence in ("one two three four five six seven eight nine ten", "one", "Dan loves icecream"):
        painted.clear()
        window.store.edit("sentence", sentence)
        settle()
        assert sorted(painted) == sorted(set(painted)), sentence
