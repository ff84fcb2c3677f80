"""Text in every script is cut where people would cut it, and every token can be drawn in one line."""

import tracemalloc

import pytest
import regex
from hypothesis import given
from hypothesis import strategies as st
from strategies import CHARACTERS

from posenc_core import Document, Token, tokenize
from posenc_core.text.incremental import TOKENIZERS

SEPARATORS = "\x1c\x1d\x1e\x1f"
"""White space to Python, but not to Unicode, which calls them control characters."""


def texts(sentence: str, tokens: str) -> list[str]:
    return [token.text for token in tokenize(sentence, tokens)]


@pytest.mark.parametrize(
    ("sentence", "words"),
    [
        ("Dan loves icecream", ["Dan", "loves", "icecream"]),
        ("", []),
        (" \t\r\n\u3000\xa0", []),
        ("  one\ttwo\nthree\r\n", ["one", "two", "three"]),
        ("日本語 テキスト", ["日本語", "テキスト"]),
        ("שלום עולם", ["שלום", "עולם"]),
        ("wait...what?!", ["wait...what?!"]),
    ],
)
def test_words_are_runs_without_white_space(sentence: str, words: list[str]) -> None:
    assert texts(sentence, "words") == words


@pytest.mark.parametrize(
    "cluster",
    [
        "e\u0301",  # e and its accent
        "q\u0323\u0307",  # a dot below and a dot above
        "👩‍👩‍👧‍👦",  # four people joined into a family
        "👍🏽",  # a skin tone
        "🇩🇰",  # two regional indicators are a flag
        "🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f",  # Scotland, spelled in tags
        "1\ufe0f\u20e3",  # a keycap
        "한",
        "\u1112\u1161\u11ab",  # the same syllable in three letters
        "नि",  # a consonant and its vowel sign
        "กำ",
        "שָׁ",  # a letter with two points
        "\r\n",
        "\u0301",  # an accent with nothing under it
    ],
)
def test_a_character_is_what_people_see_as_one(cluster: str) -> None:
    assert texts(cluster, "characters") == [cluster]
    assert texts(f"a{cluster}"[: 1 if cluster == "\u0301" else None] + "b", "characters")[-1] == "b"


@pytest.mark.parametrize(
    ("sentence", "characters"),
    [
        ("héllo", ["h", "é", "l", "l", "o"]),
        ("🇩🇰🇸🇪🇳", ["🇩🇰", "🇸🇪", "🇳"]),
        ("a b\n", ["a", " ", "b", "\n"]),
        ("👩‍👧👨", ["👩‍👧", "👨"]),
        ("नमस्ते", None),
        ("한국어", ["한", "국", "어"]),
    ],
)
def test_a_text_is_cut_between_its_characters(sentence: str, characters: list[str] | None) -> None:
    found = texts(sentence, "characters")
    assert "".join(found) == sentence
    if characters is None:  # Unicode 15.1 joins the conjunct to one, versions before it see two
        assert len(found) in (3, 4)
    else:
        assert found == characters


@pytest.mark.parametrize(
    ("sentence", "found"),
    [("A", ["41"]), ("é", ["C3", "A9"]), ("🙂", ["F0", "9F", "99", "82"]), ("\n", ["0A"]), ("", [])],
)
def test_bytes_are_those_of_utf8(sentence: str, found: list[str]) -> None:
    assert texts(sentence, "bytes") == found


@given(sentence=st.text(CHARACTERS), tokens=st.sampled_from(list(TOKENIZERS)))
def test_tokens_stand_where_they_say(sentence: str, tokens: str) -> None:
    found = tokenize(sentence, tokens)
    assert [token.start for token in found] == sorted(token.start for token in found)
    for token in found:
        assert 0 <= token.start < token.stop <= len(sentence)
        if tokens != "bytes":
            assert sentence[token.start : token.stop] == token.text
    if tokens == "characters":
        assert "".join(token.text for token in found) == sentence
    elif tokens == "bytes":
        assert bytes(int(token.text, 16) for token in found).decode() == sentence
    else:
        covered = {k for token in found for k in range(token.start, token.stop)}
        assert all(sentence[k].isspace() for k in range(len(sentence)) if k not in covered)
        assert not any(
            character.isspace() and character not in SEPARATORS for token in found for character in token.text
        )


@given(st.text(CHARACTERS, min_size=1))
def test_every_token_shows_something_in_one_line(text: str) -> None:
    for tokens in TOKENIZERS:
        for token in tokenize(text, tokens):
            shown = token.shown
            assert shown
            assert not any(sign in shown for sign in "\n\r\t\0 \u2028\u2029\u202e\u2066\x85\x7f")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a b", "a␣b"),
        ("\t", "⇥"),
        ("\n", "⏎"),
        ("\r\n", "␍⏎"),
        ("\x01", "␁"),
        ("\x1b", "␛"),
        ("\x7f", "␡"),
        ("\xa0", "␣"),
        ("\x85", "␣"),
        ("\u202eabc", "[U+202E]abc"),
        ("\u200b", "U+200B"),
        ("\u200b\ufeff", "U+200B U+FEFF"),
        ("👩‍👧", "👩‍👧"),
        ("שלום", "שלום"),
        ("e\u0301", "e\u0301"),
    ],
)
def test_a_character_without_a_shape_is_shown_by_a_sign(text: str, shown: str) -> None:
    assert Token(text, 0, len(text)).shown == shown


def test_a_documents_tokens_follow_its_sentence() -> None:
    document = Document(sentence="one two")
    assert [token.text for token in document.token_list] == ["one", "two"]
    assert document.token_list is document.token_list, "computed once"
    assert [token.text for token in document.edited("sentence", "three").token_list] == ["three"]
    assert len(document.edited("tokens", "bytes").token_list) == 7
    assert document.edited("sentence", "").token_list == ()


def test_a_hundred_thousand_pasted_characters() -> None:
    for sentence, words, characters in (("x" * 100_000, 1, 100_000), ("ab 🙂\n" * 20_000, 40_000, 100_000)):
        assert len(tokenize(sentence, "words")) == words
        assert len(tokenize(sentence, "characters")) == characters
        assert len(tokenize(sentence, "bytes")) == len(sentence.encode())


@pytest.mark.parametrize("tokens", TOKENIZERS)
def test_a_value_that_is_no_text_is_refused(tokens: str) -> None:
    with pytest.raises(ValueError, match=r"lone surrogate U\+D800 at character 1"):
        tokenize("a\ud800", tokens)
    with pytest.raises(ValueError, match=r"^sentence contains a NUL \(U\+0000\) at character 1"):
        tokenize("a\0b", tokens)
    with pytest.raises(ValueError, match=r"^tokens must be words, characters, bytes or model, got 'sentences'$"):
        tokenize("a", "sentences")


def test_white_space_is_unicodes() -> None:
    characters = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)
    for start in range(1, len(characters), 100_000):
        part = characters[start : start + 100_000]
        assert texts(part, "words") == regex.findall(r"\S+", part)


@pytest.mark.parametrize("tokens", TOKENIZERS)
def test_a_list_of_tokens_is_a_sequence(tokens: str) -> None:
    sentence = "Dan  lövès 👩‍👧 icecream\r\n" * 700
    found = tokenize(sentence, tokens)
    each = tuple(found[index] for index in range(len(found)))
    assert found == each == tuple(found) == found[:]
    assert found == tokenize(sentence, tokens)
    assert hash(found) == hash(each)
    assert found != each[1:]
    assert found != tokenize("no", tokens)
    assert found[-1] == each[-1]
    assert found[5:2:-1] == each[5:2:-1]
    with pytest.raises(IndexError):
        found[len(found)]


@pytest.mark.parametrize("tokens", TOKENIZERS)
def test_a_list_of_many_tokens_keeps_no_object_for_each(tokens: str) -> None:
    sentence = "यह क्षेत्र 👩‍👧 word\n" * 10_000
    tokenize(sentence[:100], tokens)
    tracemalloc.start()
    try:
        found = tokenize(sentence, tokens)
        kept = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(found) >= 40_000
    assert kept < 10 * len(sentence.encode())


def test_a_word_of_two_hundred_thousand_letters_is_shown_by_its_beginning() -> None:
    shown = tokenize("letter" * 33_000)[0].shown
    assert shown.startswith("letter" * 50)
    assert shown.endswith("…")
    assert len(shown) < 1000


def test_a_text_beyond_the_bound_is_refused_in_a_sentence() -> None:
    assert len(tokenize("x" * 200_000, "bytes")) == 200_000
    for taker in (tokenize, Document):
        with pytest.raises(ValueError, match=r"^sentence must be at most 200000 characters long, got 200001$"):
            taker("x" * 200_001)
