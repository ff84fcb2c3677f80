"""``posenc engines``: results of each engine for a model, in a terminal, without Qt."""

import json
from argparse import Namespace
from collections.abc import Iterator, Sequence
from typing import Any

from posenc_core.engines import EngineRow, EngineTable, compare_engines
from posenc_core.fields import one_line, shortened
from posenc_core.session import Layer
from posenc_gui.cli.parser import given_paths, names_preset
from posenc_gui.files import preset_config
from posenc_gui.model.card import indices_words, layer_words

SAME, DIFFERENT = 0, 1


def compared(arguments: Namespace) -> tuple[str, int]:
    """The table of the engines, and the exit status of ``posenc engines``."""
    (path,), settings = given_paths(arguments), settings_of(arguments.set or ())
    source = preset_config(path.name) if names_preset(path) else path
    try:
        table = compare_engines(source, _length(arguments.length), engines=arguments.engine, settings=settings)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise ValueError(f"{shortened(arguments.files[0])} cannot be read: {reason}") from error
    text = json.dumps(plain_table(table), indent=2) if arguments.json else "\n".join(words(table))
    return text, SAME if table.agree else DIFFERENT


def settings_of(given: Sequence[str]) -> dict[str, dict[str, Any]]:
    """The engines' own settings of ENGINE.NAME=VALUE; ValueError with one sentence for another form."""
    found: dict[str, dict[str, Any]] = {}
    for word in given:
        place, equals, value = word.partition("=")
        engine, _, name = place.rpartition(".")
        if not equals or not engine or not name or not value:
            raise ValueError(f"--set must be like vllm.max_model_len=4096, got {shortened(word)}")
        found.setdefault(engine, {})[name] = int(value) if value.isdecimal() and len(value) < 16 else _number(value)
    return found


def words(table: EngineTable) -> Iterator[str]:
    """The table in lines of plain text."""
    tokens = "1 token" if table.length == 1 else f"{table.length:,} tokens"
    yield f"At {tokens}; the engines' sources were read on {table.facts_read}."
    several = len({row.indices for row in table.rows}) > 1
    shown: tuple[int, ...] = ()
    for row in table.rows:
        if several and row.indices != shown:
            shown = row.indices
            yield ""
            yield f"Layers {indices_words(row.indices, sum(len(each) for each in {r.indices for r in table.rows}))}:"
        yield from map(one_line, _row(row))


def _row(row: EngineRow) -> Iterator[str]:
    found, source = row.computed, row.computed.source
    mark = f" [{found.mark}]" if found.mark else ""
    yield f"{row.engine} {source.version}{mark}: {'; '.join((row.verdict, *row.differences))}"
    if row.wanted is None and found.encoding is not None:
        rotation = found.encoding.rotation
        layer = Layer("rotary", found.encoding, found.window)
        yield f"  computes: {layer_words(layer)}{'' if rotation is None else f', {rotation.pairing}'}"
    for told in (found.refuses, found.unknown, found.lengths, *found.ignored, *found.notes, row.parting):
        if told:
            yield f"  {told}"
    if row.score_factor is not None and abs(row.score_factor - 1) > 1e-6:
        yield f"  scores are {row.score_factor:.6g} times those of the class"
    if row.differences and source.file:
        yield f"  source: {source.file}, {source.function}"
    if row.write is not None:
        text = " ".join(row.write.text.split())
        yield f"  write {row.write.where}: {text}" if text else f"  {row.write.limit}"
        if row.write.text and row.write.limit:
            yield f"  {row.write.limit}"


def plain_table(table: EngineTable) -> dict[str, Any]:
    """The same for programs, with the frequencies of each row."""
    return {
        "length": table.length,
        "facts_read": table.facts_read,
        "agree": table.agree,
        "rows": [_plain(row) for row in table.rows],
    }


def _plain(row: EngineRow) -> dict[str, Any]:
    found, source, rotation = row.computed, row.computed.source, None
    if found.encoding is not None:
        rotation = found.encoding.rotation
    return {
        "engine": row.engine,
        "version": source.version,
        "source": {"project": source.project, "file": source.file, "function": source.function},
        "mark": found.mark,
        "layer_type": row.layer_type,
        "layers": list(row.indices),
        "verdict": row.verdict,
        "differences": list(row.differences),
        "refuses": found.refuses,
        "unknown": found.unknown,
        "first_position": row.position,
        "first_pair": row.pair,
        "score_factor": row.score_factor,
        "unseen_pairs": row.unseen,
        "window": found.window,
        "window_read": found.window_read,
        "columns": found.columns,
        "zero_angles_at": list(found.holes),
        "lengths": found.lengths,
        "arithmetic": found.arithmetic,
        "ignored": list(found.ignored),
        "notes": list(found.notes),
        "encoding": None if rotation is None else {
            "base": rotation.rope_theta,
            "pairing": rotation.pairing,
            "rotary_dim": rotation.n_columns,
            "attention_factor": rotation.attention_factor,
            "softmax_scale_factor": rotation.softmax_scale_factor,
            "frequencies": rotation.pairs.frequencies.tolist(),
        },
        "write": None if row.write is None else {
            "text": row.write.text, "where": row.write.where, "limit": row.write.limit,
        },
    }  # fmt: skip


def _length(text: str | None) -> int | None:
    if text is None:
        return None
    if not text.isdecimal() or len(text) > 16:
        raise ValueError(f"--length must be a whole number of tokens from 1, got {shortened(text)}")
    return int(text)


def _number(value: str) -> float | str:
    try:
        return float(value)
    except ValueError:  # a word, such as yarn
        return value
