"""Sessions of every earlier version open, those of later ones are refused, and what is unknown is kept."""

import json
from pathlib import Path
from typing import Any

import pytest
from documents import with_values

from posenc_core import Document, Embedding, Sinusoidal
from posenc_core.session.session_schema import MIGRATIONS, VERSION, migrated
from posenc_core.session.unknown_fields import UnknownFields

STORED = Path(__file__).parents[2] / "data" / "sessions"

OPTIONS = {
    "heatmap": {"transpose": True, "halves": True},
    "similarity": {"similarity_measure": "dot"},
    "shift": {"shift_k": -3, "shift_without_cosines": True},
    "scores": {"score_mode": "bound", "score_distances": 77, "score_head": 2, "score_weights": True},
    "lens": {"angle_unit": "degrees", "n_clocks": 5},
    "ways": {"query_position": 12, "key_position": 7, "both_shift": 9},
    "precision": {"arithmetic": "float32"},
    "difference": {"compared_panel": "waves"},
    "drift": {"drift_degrees": 30},
    "cache": {"cache_length": 99},
}
"""The fields of version 3 that are options of panels since, with the values that a stored session has."""

WRITTEN = {
    "v1/first-start.json": Document(),
    "v1/everything.json": with_values(
        Document(
            "Ann sees the sea\n🙂 e\u0301 שלום",
            "characters",
            4096,
            Sinusoidal(12, 50.5, "concatenated", "tensor2tensor", -7),
            Embedding("simulated", 4, True),
        ),
        color_map="viridis",
        transpose=True,
    ),
    "v1/one-based.json": Document("", "bytes", 1, Sinusoidal(32, spacing="one_based")),
    "v1/sparse.json": Document("few words", encoding=Sinusoidal(4)),
}
"""Document behind each stored file, which the program of its time wrote; the last file is written by hand."""


def session(**changes: Any) -> dict[str, Any]:
    return {**json.loads(Document().to_json()), **changes}


def opened(values: dict[str, Any]) -> Document:
    return Document.from_json(json.dumps(values))


def refusal(values: dict[str, Any]) -> str:
    with pytest.raises(ValueError, match=r"\S") as caught:
        opened(values)
    assert str(caught.value).isprintable()
    return str(caught.value)


def test_every_stored_session_is_listed_and_every_earlier_version_has_one() -> None:
    assert {f"v1/{path.name}" for path in STORED.glob("v1/*.json")} == WRITTEN.keys()
    assert {path.name for path in STORED.iterdir()} >= {f"v{version}" for version in range(1, VERSION)}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_stored_session_still_opens_as_what_it_was(name: str) -> None:
    data = (STORED / name).read_bytes()
    assert f'"version": {name[1]}'.encode() in data
    document = Document.from_json(data)
    assert document == WRITTEN[name]
    assert document.to_dict()["version"] == VERSION
    assert Document.from_json(document.to_json()) == document


@pytest.mark.parametrize(("panel", "name"), [(panel, name) for panel, options in OPTIONS.items() for name in options])
def test_a_field_of_the_view_of_version_3_is_an_option_of_its_panel(panel: str, name: str) -> None:
    stored = json.loads((STORED / "v3/everything.json").read_bytes())
    document = opened(stored)
    assert stored["view"][name] == document.value(name) == OPTIONS[panel][name]
    assert (document.value(name) == Document().value(name)) == (name == "arithmetic")  # whose default it is since
    written = document.to_dict()
    assert written["panels"][panel][name] == OPTIONS[panel][name]
    assert name not in written["view"]
    alone = opened({**session(), "version": 3, "view": {name: OPTIONS[panel][name]}})
    assert alone == Document().edited(name, OPTIONS[panel][name])


def test_a_session_of_version_3_has_all_other_values_as_before() -> None:
    stored = json.loads((STORED / "v3/everything.json").read_bytes())
    written = json.loads(opened(stored).to_json())
    options = {name: value for values in written["panels"].values() for name, value in values.items()}
    pages = {"gallery_page": "story", "scorecard_page": "story"}
    since = {**pages, "longest_distance": None, "patch_axis": "all", "precision_bits": False,
             "query_alone": False, "seen_query": None, "concatenation": False, "order_before": "",
             "engines_shown": "table", "heatmap_rows": "cells", "heatmap_frame": 0, "heatmap_row": 0,
             "heatmap_column": 0}  # fmt: skip
    assert {**written["view"], **options} == {**stored["view"], **since}
    assert {name: written[name] for name in stored.keys() - {"view", "version"}} == {
        name: stored[name] for name in stored.keys() - {"view", "version"}
    }


def test_a_session_of_version_3_keeps_what_nobody_knew() -> None:
    document = Document.from_json((STORED / "v3/unknown.json").read_bytes())
    assert document.value("shift_k") == 5
    assert (document.to_dict()["view"]["grid"], document.to_dict()["author"]) == ("fine", "Ann")


def test_options_that_are_no_object_are_damage() -> None:
    assert refusal(session(panels=5)) == "this session is damaged: panels must be an object, got 5"
    assert refusal(session(panels={"drift": [1]})) == (
        "this session is damaged: the options of drift must be an object, got [1]"
    )
    assert refusal(session(panels={"drift": {"drift_degrees": 0}})).startswith("this session is damaged: drift_degrees")


def test_there_is_a_migration_from_every_earlier_version() -> None:
    assert sorted(MIGRATIONS) == list(range(1, VERSION))


def test_migrations_follow_one_another() -> None:
    steps = {version: lambda values, v=version: {**values, f"by {v}": len(values)} for version in (1, 2, 3)}
    assert migrated({"version": 2, "a": 0}, 2, steps, 4) == {"version": 4, "a": 0, "by 2": 2, "by 3": 3}
    assert migrated({"version": 4}, 4, steps, 4) == {"version": 4}


def test_a_session_of_version_1_is_damaged_where_its_encoding_is_none() -> None:
    assert refusal({**session(), "version": 1, "encoding": 5}) == (
        "this session is damaged: encoding must be an object, got 5"
    )


@pytest.mark.parametrize(
    ("before", "mode", "query", "key"),
    [
        ({"score_mode": "typed", "score_query": [1, 2], "score_key": None}, "typed", (1, 2), (9, 8)),
        ({"score_mode": "typed", "score_query": [1, 2], "score_key": [3]}, "typed", (1, 2), (3,)),
        ({"score_mode": "typed", "score_query": None, "score_key": None}, "tokens", (7,), (9, 8)),
        ({"score_mode": "typed"}, "tokens", (7,), (9, 8)),
        ({"score_mode": "bound", "score_query": [1, 2]}, "bound", (7,), (9, 8)),
        ({}, "ones", (7,), (9, 8)),
    ],
)
def test_the_vectors_of_the_scores_of_version_2_become_those_of_all_panels(
    before: dict[str, Any], mode: str, query: tuple[float, ...], key: tuple[float, ...]
) -> None:
    view = {"query_vector": [7], "key_vector": [9, 8], **before}
    document = opened({**session(), "version": 2, "view": view})
    assert (document.value("score_mode"), document.view.query_vector, document.view.key_vector) == (mode, query, key)
    again = json.loads(document.to_json())
    assert again["version"] == VERSION
    assert not {"score_query", "score_key"} & again["view"].keys()
    assert opened({"format": "posenc session", "version": 2}) == Document()


@pytest.mark.parametrize("version", [VERSION + 1, 99, 10**30])
def test_a_later_version_is_refused_whatever_it_holds(version: int) -> None:
    said = refusal(session(version=version, encoding={"family": "unheard of"}))
    assert said.startswith("this session was saved by a newer PosEnc (session version ")
    assert said.endswith(f"this program reads up to {VERSION}); update PosEnc to open it")


LATER: dict[str, Any] = {
    **session(author="Ann", notes={"deep": [1, 2.5, None, {"é\u202e": True}]}),
    "encoding": {**session()["encoding"], "temperature": 0.25},
    "embedding": {**session()["embedding"], "model": ["a", "b"]},
    "view": {**session()["view"], "grid": "fine"},
    "panels": {**session()["panels"], "spectrum": {"shown": ["a"]}, "drift": {"drift_degrees": 30, "unit": "turns"}},
}
"""A session of a later minor version."""


def test_fields_that_nobody_knows_are_written_again_as_they_were() -> None:
    document = opened(LATER)
    assert json.loads(document.to_json()) == LATER
    assert Document.from_json(document.to_json()) == document
    assert hash(opened(LATER)) == hash(document)


def test_unknown_keys_outlive_edits_and_take_no_part_in_the_pictures() -> None:
    document = opened(LATER).edited("base", 50.0).edited("sentence", "other").edited("transpose", True)
    plain = Document().edited("base", 50.0).edited("sentence", "other").edited("transpose", True)
    assert (document.encoding, document.embedding, document.view) == (plain.encoding, plain.embedding, plain.view)
    written = document.to_dict()
    assert (written["author"], written["notes"]) == (LATER["author"], LATER["notes"])
    assert written["encoding"] == {**plain.to_dict()["encoding"], "temperature": 0.25}
    assert written["view"] == {**plain.to_dict()["view"], "grid": "fine"}
    assert written["panels"]["spectrum"] == {"shown": ["a"]}
    assert written["panels"]["drift"] == {"drift_degrees": 30, "unit": "turns"}


def test_those_of_an_encoding_stay_with_its_family() -> None:
    document = opened(LATER).edited("family", "alibi")
    assert "temperature" not in document.to_dict()["encoding"]
    assert document.to_dict()["author"] == "Ann"
    assert document.edited("family", "sinusoidal").to_dict()["encoding"]["temperature"] == 0.25


def test_a_parameter_of_another_choice_is_known_and_not_kept() -> None:
    """A rotary encoding without scaling knows of the scaling's factor."""
    values = session(encoding={"family": "rotary", "factor": 4.0})
    assert opened(values).unknown == UnknownFields()


def test_known_values_win_over_kept_unknown_ones() -> None:
    kept = UnknownFields(
        json.dumps(
            {
                "": {"sentence": "smuggled"},
                "view": {"angles": 7, "grid": 1},
                "panels/drift": {"drift_degrees": 7, "grid": 2},
            }
        )
    )
    document = Document(unknown=kept)
    assert document.to_dict()["sentence"] == Document().sentence
    written = json.loads(document.to_json())
    assert written["view"] == {**session()["view"], "grid": 1}
    assert written["panels"]["drift"] == {"drift_degrees": 45, "grid": 2}


def test_the_kept_unknown_keys_are_bounded() -> None:
    most = UnknownFields.MAXIMUM_LENGTH
    assert opened(session(later="x" * (most - 100))).to_dict()["later"] == "x" * (most - 100)
    assert refusal(session(later="x" * most)) == (
        "this session is damaged: it contains over 256 kB of fields unknown to this version"
    )
    deep: Any = 1
    for _ in range(UnknownFields.MAXIMUM_DEPTH):
        deep = [deep]
    assert opened(session(later=deep)).to_dict()["later"] == deep
    assert "over 32 levels deep" in refusal(session(later=[deep]))
    for _ in range(300):
        deep = {"a": deep}
    assert "over 32 levels deep" in refusal(session(view={"later": deep}))


def test_numbers_that_no_number_can_hold_are_refused_and_not_written_as_others() -> None:
    text = json.dumps(session(later=12345))
    for number in ("1e400", "9" * 5000):
        with pytest.raises(ValueError, match="range"):
            Document.from_json(text.replace("12345", number))
