"""Every number of every session and preset, replaced by numbers beyond float64 and by values of other types."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from families import DEFAULTS, SCALED
from hostile import opened
from hostile_numbers import assert_finite, places, with_each_number, with_number
from hypothesis import given
from hypothesis import strategies as st

from posenc_core import Document

PRESETS = Path(__file__).parents[3] / "resources" / "presets"


def sessions() -> list[dict[str, Any]]:
    """A session of every family and scaling, and of every preset."""
    made = [each.to_dict() for each in (*DEFAULTS.values(), *SCALED.values())]
    shipped = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(PRESETS.glob("*.json"))]
    new = Document().to_dict()
    return [*made, *({**new, **{name: each[name] for name in new if name in each}} for each in shipped)]


def opened_session(session: Any) -> Document | None:
    """The document, proven to be finite; None for what was refused in a sentence."""
    document: Document | None = opened(lambda: Document.from_json(json.dumps(session)))
    if document is not None:
        assert_finite(document)
    return document


def test_every_session_holds_only_finite_numbers_or_is_refused(
    amount: Callable[[int, int], int], count: Callable[[str, int], None]
) -> None:
    step = amount(41, 1)  # of the values that replace each number
    found = [opened_session(each) is not None for each in with_each_number(sessions(), step)]
    assert sum(found) > 500 // step
    assert len(found) - sum(found) > 5000 // step
    count("numbers of sessions and presets replaced", len(found))


ANY_NUMBER = st.floats() | st.integers() | st.integers(-(10**320), 10**320) | st.sampled_from([1e308, 1e-320, -1e308])


@given(data=st.data())
def test_several_numbers_at_once_are_read_or_refused(data: st.DataObject, count: Callable[[str, int], None]) -> None:
    session = data.draw(st.sampled_from(SESSIONS))
    for place in data.draw(st.lists(st.sampled_from(list(places(session))), min_size=2, max_size=4, unique=True)):
        session = with_number(session, place, data.draw(ANY_NUMBER))
    opened_session(session)
    count("numbers of sessions and presets replaced", 1)


SESSIONS = sessions()
