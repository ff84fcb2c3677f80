"""Sentences of the program, word for word as they were agreed."""

import ast
import json
from pathlib import Path

import pytest
from panel_bench import shown
from pixels import settle
from window_bench import says

from posenc_core import Document, Rotary
from posenc_gui.model import Cursor

ROOT = Path(__file__).parents[3]

LITERAL = (
    "Read a token's dots from bottom to top: that is its vector",
    "one row per token",
    "words, split at spaces",
    "Why not just number the words?",
    "What does RoPE rotate?",
    "one fixed matrix takes each row to the next",
    "you cannot tell which one",
    "Counts pairs; says nothing about quality",
    "always within range",
    "this model",
    "Add a second encoding to compare",
    "A, B and A − B",
    "Only comparing scores reveals the wrong layout",
    "Small demo table trained for this program",
    "slows only the slow pairs",
    "position shows only in how many keys the mask leaves visible",
    "Show restores the trained base",
    "A wave repeats once the angle has grown by 2π",
    "How many times does column 2 reach its value at position 5?",
    "What is the value in column 2 at position 300?",
    "Others soon follow",
    "What does rotation preserve?",
    "not valid JSON",
)
"""Sentences without numbers of a document."""


def strings(value) -> list[str]:
    """Every text in a JSON value."""
    if isinstance(value, dict | list):
        return [text for each in (value.values() if isinstance(value, dict) else value) for text in strings(each)]
    return [value] if isinstance(value, str) else []


@pytest.fixture(scope="module")
def said() -> str:
    """The texts of the program and of its lessons and questions."""
    texts: list[str] = []
    for path in (*ROOT.glob("posenc_core/**/*.py"), *ROOT.glob("posenc_gui/**/*.py")):
        tree = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        texts += [node.value for node in tree if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    for path in (ROOT / "resources" / "questions.json", *(ROOT / "resources" / "lessons").glob("*.json")):
        texts += strings(json.loads(path.read_text(encoding="utf-8")))
    return "\n".join(texts)


@pytest.mark.one_of(4)
@pytest.mark.parametrize("sentence", LITERAL)
def test_a_sentence_is_in_the_texts_of_the_program(said, sentence):
    assert sentence in said


@pytest.mark.parametrize(
    ("panel", "document", "cursor", "sentence"),
    [
        (
            "precision",
            Document(seq_len=4096, encoding=Rotary(128)).edited("arithmetic", "bfloat16"),
            Cursor(1, 0),
            "769 of 4,096 positions remain distinct",
        ),
        (
            "precision",
            Document(seq_len=4096, encoding=Rotary(128)),
            Cursor(1, 0),
            "Each point: largest error over up to 64 positions and all pairs",
        ),
        (
            "spectrum",
            Document(encoding=Rotary(128)).edited("trained_length", 4096).edited("target_length", 16384)
            .edited("compared_scalings", ("yarn",)),
            Cursor(1, 2),
            "Shading: YaRN ×4. Pair 2 makes 489 turns within L",
        ),
        (
            "lens",
            Document(encoding=Rotary(128)),
            Cursor(1, 0),
            "Your q, repeated to fill the head; length unchanged (57.13)",
        ),
    ],
    ids=["distinct", "sampling", "shading", "query"],
)  # fmt: skip
def test_a_panel_says_a_sentence_with_the_numbers_of_its_document(qtbot, panel, document, cursor, sentence):
    made = shown(qtbot, panel, document, (1100, 520))
    made.show_cursor(cursor)
    qtbot.waitUntil(lambda: sentence in made.figure.pointing.note())


def test_a_simulated_embedding_is_said_to_be_from_no_model(window):
    window.store.edit("embedding", "simulated")
    settle()
    assert says(window, "Random (seed 0), not from a model")


def test_the_sentences_are_twenty_eight():
    assert len(LITERAL) + 4 + 1 == 28
