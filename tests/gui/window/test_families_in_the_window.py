"""Families since 2022 in every workspace: each is chosen, seen and pointed at."""

import pytest
from pixels import settle

from posenc_core import ENCODINGS, Document
from posenc_gui.panels import WORKSPACES

NEW = [name for name, kind in ENCODINGS.items() if not kind.in_story]
SENTENCE = "Dan loves icecream and so do I, says she"


@pytest.mark.one_of(8)
@pytest.mark.parametrize("family", NEW)
def test_a_family_is_seen_in_every_workspace(window, family):
    window.store.replace(Document(SENTENCE).edited("family", family), "family")
    window.resize(1440, 900)
    window.show()
    for workspace in WORKSPACES:
        window.workspaces.choose(workspace)
        settle()
        for name, panel in window.panels.items():
            if panel.isVisible():
                assert not panel.figure.problem, (workspace, name)
