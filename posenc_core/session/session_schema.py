"""The shape of a session file: its version, and the parts that a document is built from.

Version 1 had only the sinusoidal encoding. Version 2 has other families, which a program for version 1 calls
damaged, and keeps unknown fields. Version 3 has one typed query and key for all panels. Version 4 has the
options of each panel under the panel's name. A field that an earlier program keeps without reading it, such as the
``grid``, needs no version of its own.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from posenc_core.encodings import Encoding
from posenc_core.fields import Field, NoSessionError, decode_json, shortened
from posenc_core.session.model_schema import MODEL, MODEL_B
from posenc_core.session.named_encodings import ENCODINGS_PART
from posenc_core.session.options import PANELS, offered_options
from posenc_core.session.stored_parts import FAMILY, NOTES, PARTS, TOKENIZER, has_notes
from posenc_core.session.unknown_fields import DOCUMENT, UnknownFields
from posenc_core.session.view import View
from posenc_core.text import Embedding

FORMAT = "posenc session"
VERSION = 4
MAXIMUM_BYTES = 32 * 2**20
"""No session is larger: the sentences of earlier versions had up to two million characters of at most 12 bytes."""

PLACE = "place"
"""Workspace and panels on the screen, which are not part of the document."""

_OBJECTS = (*PARTS, PANELS, ENCODINGS_PART, MODEL, MODEL_B, TOKENIZER, PLACE)
"""All parts that must be objects if present."""


_VECTORS_OF_SCORES = {"score_query": "query_vector", "score_key": "key_vector"}
"""The fields of version 2, and of version 3."""

_OPTIONS_OF_PANELS = {
    "heatmap": ("transpose", "halves"),
    "similarity": ("similarity_measure",),
    "shift": ("shift_k", "shift_without_cosines"),
    "scores": ("score_mode", "score_distances", "score_head", "score_weights"),
    "lens": ("angle_unit", "n_clocks"),
    "ways": ("query_position", "key_position", "both_shift"),
    "precision": ("arithmetic",),
    "difference": ("compared_panel",),
    "drift": ("drift_degrees",),
    "cache": ("cache_length",),
}
"""The fields of the view in version 3 that are options of panels in version 4."""


Migration = Callable[[dict[str, Any]], dict[str, Any]]


def _name_the_family(session: dict[str, Any]) -> dict[str, Any]:
    """Version 1 could leave out the family, as it had only one."""
    encoding = session.get("encoding", {})
    if isinstance(encoding, dict):
        session["encoding"] = {"family": "sinusoidal", **encoding}
    return session


def _share_the_typed_vectors(session: dict[str, Any]) -> dict[str, Any]:
    """Version 2 had a query and a key only for the scores; without them the mode typed used the tokens' vectors."""
    view = session.get("view", {})
    if not isinstance(view, dict):
        return session
    kept = {name: value for name, value in view.items() if name not in _VECTORS_OF_SCORES}
    if view.get("score_mode") == "typed":
        typed = {_VECTORS_OF_SCORES[name]: view.get(name) for name in _VECTORS_OF_SCORES}
        given = {name: value for name, value in typed.items() if value is not None}
        kept |= given or {"score_mode": "tokens"}
    return {**session, "view": kept} if "view" in session else session


def _give_options_to_panels(session: dict[str, Any]) -> dict[str, Any]:
    """Version 3 had the options of all panels in its view."""
    view = session.get("view", {})
    if not isinstance(view, dict):
        return session
    panels = {
        panel: {name: view[name] for name in names if name in view} for panel, names in _OPTIONS_OF_PANELS.items()
    }
    moved = {name for names in _OPTIONS_OF_PANELS.values() for name in names}
    kept = {name: value for name, value in view.items() if name not in moved}
    return {**session, "view": kept, PANELS: {panel: options for panel, options in panels.items() if options}}


MIGRATIONS: Mapping[int, Migration] = {1: _name_the_family, 2: _share_the_typed_vectors, 3: _give_options_to_panels}
"""By version, the function that turns its session into the next version's."""


def read_record(data: str | bytes) -> dict[str, Any]:
    """A session file as plain values in the present version's form, with the fields that are unknown to it.

    ValueError with one sentence for any other file, and for a part that is not an object.
    """
    if len(data) > MAXIMUM_BYTES:
        raise NoSessionError(f"this is no PosEnc session: it is larger than {MAXIMUM_BYTES // 2**20} MB")
    try:
        session = decode_json(data, "this is no PosEnc session: it")
    except ValueError as error:
        raise NoSessionError(str(error)) from None
    if session.get("format") != FORMAT:
        raise NoSessionError(f"this is no PosEnc session: its 'format' is not '{FORMAT}'")
    version = session.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ValueError("this session is damaged: its version is no whole number from 1")
    if version > VERSION:
        raise ValueError(
            f"this session was saved by a newer PosEnc (session version {shortened(version)}, "
            f"this program reads up to {VERSION}); update PosEnc to open it"
        )
    session = migrated(session, version)
    for part in _OBJECTS:
        if not isinstance(session.get(part, {}), dict):
            raise ValueError(f"this session is damaged: {part} must be an object, got {shortened(session[part])}")
    return session


def migrated(
    session: dict[str, Any], version: int, migrations: Mapping[int, Migration] = MIGRATIONS, present: int = VERSION
) -> dict[str, Any]:
    """The session in the present version's form; fields that no migration changes stay."""
    for earlier in range(version, present):
        session = migrations[earlier](session)
    return {**session, "version": present}


def unknown_fields(session: Mapping[str, Any], own: Iterable[Field], encoding: Encoding) -> UnknownFields:
    """The fields of the session that are not this version's; ``own`` are the document's, ``encoding`` is the session's.

    ValueError for too many or too deeply nested fields.
    """
    return UnknownFields.of(session, known_names(own, encoding), encoding.family)


def known_names(own: Iterable[Field], encoding: Encoding) -> dict[str, set[str]]:
    """The names allowed in each part of a session, with all fields of the family, visible or not."""
    parameters = {each.name for field in encoding.FIELDS for each in field.every()} | encoding.parameters().keys()
    return {
        DOCUMENT: {"format", "version", *(each.name for each in own), *_OBJECTS},
        "encoding": {FAMILY.name, *parameters, *([NOTES] if has_notes(encoding) else ())},
        "embedding": {*(each.name for each in Embedding.FIELDS), "rows_name", "rows_digest"},
        "view": {each.name for each in View.FIELDS},
        PANELS: {*offered_options()},
        **{f"{PANELS}/{panel}": {each.name for each in fields} for panel, fields in offered_options().items()},
    }
