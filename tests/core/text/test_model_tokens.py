"""A model's own tokens: every byte of the sentence in one token, and every character with the list of its tokens."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import CHARACTERS
from tokenizer_bench import byte_fallback, byte_level, saved, word_pieces
from tokenizers import normalizers, pre_tokenizers, processors

from posenc_core.text import cluster_stops, open_tokenizer, tokenizer_opening
from posenc_core.text.model_tokens import NO_ID

HARD = "Dan 🍦 日本 👩‍👩‍👧 é e\u0301 \u200b\t🇩🇰"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("tokenizers")


@pytest.fixture(scope="module")
def bytewise(folder):
    return open_tokenizer(saved(byte_level(), folder))


@pytest.fixture(scope="module")
def pieces(folder):
    return open_tokenizer(saved(byte_fallback(), folder))


def texts(tokens):
    return [token.text for token in tokens]


def check_every_byte(sentence, tokens, before=b""):
    """The bytes of the tokens are those of the sentence, and stand where they say."""
    assert not tokens.remark
    joined = b"".join(token.data for token in tokens if token.data is not None)
    assert joined in (sentence.encode(), before + sentence.encode())
    ends = [0, *cluster_stops(sentence).tolist()]
    for token in tokens:
        if token.data is None:
            assert token.start == token.stop
            continue
        said = token.data.removeprefix(before if joined != sentence.encode() and token.start == 0 else b"")
        assert said in sentence[token.start : token.stop].encode()
        if not said:
            continue
        inside = token.start in ends and token.stop in ends and said == sentence[token.start : token.stop].encode()
        if inside:
            assert token.text.endswith(said.decode())
            assert not token.whole
        else:
            assert "[" in token.text
            assert "]" in token.text
            assert token.whole


@given(st.text(CHARACTERS, max_size=40))
def test_every_byte_of_a_sentence_is_in_one_token(bytewise, count, sentence):
    for special in (True, False):
        tokens = bytewise.token_list(sentence, special)
        check_every_byte(sentence, tokens)
        assert [token.data for token in tokens][:1] == [None] * special or not special
        count("sentences through byte-level tokenizers", 1)


@given(st.text(CHARACTERS.filter(lambda sign: sign != "\u2581"), max_size=40))
def test_every_byte_of_a_sentence_is_in_one_piece(pieces, count, sentence):
    check_every_byte(sentence, pieces.token_list(sentence), b" ")
    count("sentences through pieces with bytes", 1)


def test_the_parts_of_a_character_stand_in_brackets(pieces):
    tokens = pieces.token_list("🍦 日", special_tokens=True)
    assert texts(tokens) == [" ", "[F0]", "[9F]", "[8D]", "[A6]", " ", "[E6]", "[97]", "[A5]"]
    assert [token.whole for token in tokens] == ["", *"🍦🍦🍦🍦", "", *"日日日"]
    assert [(token.start, token.stop) for token in tokens][1:6] == [(0, 1)] * 4 + [(1, 2)]


def test_a_joined_family_is_one_character_of_several_tokens(bytewise, pieces):
    family = "👩‍👩‍👧"
    assert {token.whole for token in pieces.token_list(f"a{family}b") if token.text.startswith("[")} == {family}
    whole = bytewise.token_list(f"the family {family}", special_tokens=False)
    assert "".join(texts(whole)) == f"the family {family}", "the vocabulary has seen it as one"
    apart = bytewise.token_list("👨‍🍦", special_tokens=False)
    assert b"".join(token.data for token in apart) == "👨‍🍦".encode()
    assert {token.whole for token in apart} == {"👨‍🍦"}
    assert all("[" in text for text in texts(apart))


def test_a_mark_of_a_letter_is_written_by_its_bytes(bytewise):
    assert texts(bytewise.token_list("e\u0301x", special_tokens=False)) == ["[e]", "[CC·81]", "x"]


def test_a_token_that_ends_one_character_and_begins_another_has_both(folder):
    tokenizer = byte_level()
    told = json.loads(tokenizer.to_str())["model"]
    alphabet = {byte: sign for sign, byte in _alphabet().items()}
    end, start = alphabet["日".encode()[-1]], alphabet["本".encode()[0]]
    told["vocab"][end + start] = max(told["vocab"].values()) + 1
    told["merges"] = [[end, start]]
    tokens = open_tokenizer(saved(tokenizer, folder, model=told)).token_list("日本", special_tokens=False)
    assert texts(tokens) == ["[E6]", "[97]", "[A5][E6]", "[9C]", "[AC]"]
    (both,) = [token for token in tokens if len(token.data) == 2]
    assert (both.start, both.stop, both.whole) == (0, 2, "日本")


def _alphabet():
    from posenc_core.text.tokenizer_shape import _byte_alphabet

    return _byte_alphabet()


def test_the_byte_alphabet_is_the_librarys():
    assert set(_alphabet()) == set(pre_tokenizers.ByteLevel.alphabet())
    text = "".join(map(chr, range(0x250)))
    encoded = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False).pre_tokenize_str(text)[0][0]
    assert bytes(_alphabet()[sign] for sign in encoded) == text.encode()


def test_special_tokens_take_positions_of_their_own(bytewise):
    with_them, without = (bytewise.token_list("Dan loves", special) for special in (True, False))
    assert texts(with_them) == ["<s>", *texts(without)]
    assert with_them[0].id == 0
    assert with_them[0].data is None
    typed = bytewise.token_list("<s>Dan<end>", special_tokens=False)
    assert [(token.text, token.data) for token in typed] == [("<s>", b"<s>"), ("Dan", b"Dan"), ("<end>", b"<end>")]


def test_ids_are_those_of_the_library(bytewise, folder):
    assert list(bytewise.token_list(HARD).ids) == byte_level().encode(HARD).ids
    assert bytewise.n_ids == byte_level().get_vocab_size()


def test_a_space_before_the_sentence_is_the_first_tokens(folder):
    tokenizer = open_tokenizer(saved(byte_level(add_prefix_space=True), folder))
    first = tokenizer.token_list("Dan loves", special_tokens=False)[0]
    assert (first.data[:1], first.start) == (b" ", 0)
    check_every_byte("Dan loves", tokenizer.token_list("Dan loves"), b" ")


def test_changes_by_the_tokenizer_are_named(folder):
    wordwise = open_tokenizer(saved(word_pieces(), folder))
    plain = wordwise.token_list("dan loves icecream")
    assert texts(plain) == ["[CLS]", "dan", "loves", "ice", "##cream", "[SEP]"]
    assert [(token.start, token.stop) for token in plain] == [(0, 0), (0, 3), (4, 9), (10, 13), (13, 18), (18, 18)]
    assert not plain.remark
    for changed in ("Dan loves", "dan hates"):
        tokens = wordwise.token_list(changed)
        assert "changes the text" in tokens.remark
        assert [(token.start, token.stop) for token in tokens][1:3] == [(0, 3), (4, 9)]


def test_characters_that_the_tokenizer_leaves_out_are_told(folder):
    for tokenizer in (byte_level(), word_pieces()):
        told = json.loads(tokenizer.to_str())["model"]
        told = {"type": "BPE", "vocab": {"<s>": 0, "d": 1, "a": 2, "n": 3, "[CLS]": 4, "[SEP]": 5}, "merges": []}
        opened = open_tokenizer(saved(tokenizer, folder, model=told, added_tokens=[], post_processor=None))
        assert not opened.token_list("dan").remark
        assert "lacks some of its characters" in opened.token_list("dxan").remark


def test_a_letter_with_very_many_marks_takes_no_minutes(pieces):
    tokens = pieces.token_list("e" + "\u0301" * 100_000)
    assert len(tokens) == 200_002
    assert tokens.longest == 4
    assert len(tokens[5].whole) == 64


def test_a_normal_form_keeps_what_is_normal_and_tells_the_rest(folder):
    tokenizer = open_tokenizer(saved(byte_level(normalizer=normalizers.NFC()), folder))
    check_every_byte("Dan é", tokenizer.token_list("Dan é"))
    changed = tokenizer.token_list("Dan e\u0301", special_tokens=False)
    assert "changes the text" in changed.remark
    assert b"".join(token.data for token in changed) == "Dan é".encode()
    assert changed[-1].start == 3


def test_truncation_and_padding_in_the_file_are_left_out(folder):
    tokenizer = byte_level()
    tokenizer.enable_truncation(3)
    tokenizer.enable_padding(length=9)
    tokens = open_tokenizer(saved(tokenizer, folder)).token_list("Dan loves icecream")
    check_every_byte("Dan loves icecream", tokens)


def test_a_file_is_named_by_its_content(folder, tmp_path):
    one, same = open_tokenizer(saved(byte_level(), folder)), open_tokenizer(saved(byte_level(), tmp_path))
    assert one == same
    assert hash(one) == hash(same)
    assert str(tmp_path) not in repr(same)
    assert open_tokenizer(saved(byte_fallback(), tmp_path)) != one


NAME = "the tokenizer '.* cannot be opened: "


def test_files_that_are_no_tokenizers_are_refused_in_a_sentence(tmp_path, count):
    whole = json.loads(byte_level().to_str())
    cases = {
        b"": "ends too early, or is empty",
        b"no JSON": "is not valid JSON",
        b"[1]": "contains no object",
        b"{}": "it contains no model with a vocabulary",
        b'{"model": {"vocab": {}}}': "",
        b'{"model": 1}': "it contains no model with a vocabulary",
        b'{"model": ' + b"[" * 5000: "",
        b"[" * 5000: "",
        b'{"model": {"vocab": ' + b'{"a":' * 5000 + b"1" + b"}" * 5001 + b"}": "",
        b'{"normalizer": ' + b"[" * 60 + b"]" * 60 + b', "model": {"vocab": {}}}': "nested too deeply",
        b"\xff\xfe{": "",
    }
    for name, part in {
        "vocab": {"a": -1}, "merges": [["zz", "yy"]], "type": "Unheard", "unk_token": 7,
    }.items():  # fmt: skip
        cases[json.dumps(whole | {"model": whole["model"] | {name: part}}).encode()] = "the library tokenizers refuses"
    text = json.dumps(whole).encode()
    cases |= {text[: len(text) * n // 40]: "" for n in range(1, 40)}
    path = tmp_path / "tokenizer.json"
    for data, words in cases.items():
        path.write_bytes(data)
        with pytest.raises(ValueError, match=f"^{NAME}.*{words}") as caught:
            open_tokenizer(path)
        assert len(str(caught.value)) < 300
        assert "\n" not in str(caught.value)
    count("damaged tokenizers refused", len(cases))


def test_a_path_that_is_no_file_is_refused_without_reading(tmp_path):
    pipe = tmp_path / "pipe.json"
    os.mkfifo(pipe)
    for path, words in {
        pipe: "a device or a pipe", Path("/dev/zero"): "a device or a pipe", tmp_path: "it is a folder",
        tmp_path / "none.json": "there is no such file", Path("a\0b"): "",
    }.items():  # fmt: skip
        with pytest.raises(ValueError, match=f"^{NAME}.*{words}"):
            open_tokenizer(path)


def test_a_file_is_bounded(tmp_path):
    path = tmp_path / "tokenizer.json"
    with path.open("wb") as stream:
        stream.write(b"{")
        stream.truncate(100 * 2**20)
    with pytest.raises(ValueError, match=r"it is larger than 64 MB$"):
        open_tokenizer(path)


@pytest.mark.parametrize(
    "normalizer",
    [
        normalizers.Replace("a", "a" * 100_000),
        normalizers.Sequence([normalizers.Replace("a", "aa")] * 30),
        normalizers.Prepend("x" * 5000),
    ],
)
def test_a_normaliser_that_makes_a_long_text_of_a_short_one_is_refused(tmp_path, normalizer):
    with pytest.raises(ValueError, match=r"its normalizer can make a text more than 64 times as long$"):
        open_tokenizer(saved(byte_level(normalizer=normalizer), tmp_path))


def _split(pattern):
    return {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated", "invert": False}


def test_a_pattern_that_gives_up_leaves_words_and_says_so(tmp_path):
    path = saved(byte_level(), tmp_path, pre_tokenizer=_split("(a|aa)+$"))
    tokens = open_tokenizer(path).token_list("a" * 60 + "b c")
    assert texts(tokens) == ["a" * 60 + "b", "c"]
    assert list(tokens.ids) == [NO_ID] * 2
    assert tokens[0].id is None
    assert tokens.remark.startswith("The tokenizer cannot divide this sentence (")


def test_a_pattern_that_does_not_end_is_left_and_not_asked_again(tmp_path, monkeypatch):
    monkeypatch.setattr(tokenizer_opening, "LONGEST_SECONDS", 0.2)
    tokenizer = open_tokenizer(saved(byte_level(), tmp_path, pre_tokenizer=_split("(a|aa){1,22}$")))
    before = threading.active_count()
    for _ in range(3):
        tokens = tokenizer.token_list(("a" * 23 + "b") * 100)
        assert len(tokens) == 1
        assert "it did not end within" in tokens.remark
    assert threading.active_count() <= before + 1


def test_an_unknown_word_without_a_token_for_it_is_told(tmp_path):
    told = json.loads(word_pieces().to_str())
    del told["model"]["vocab"]["[UNK]"]
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(told), encoding="utf-8")
    tokens = open_tokenizer(path).token_list("hello there")
    assert texts(tokens) == ["hello", "there"]
    assert "Missing [UNK]" in tokens.remark


def test_lying_numbers_do_no_harm(tmp_path):
    told = json.loads(byte_level().to_str())
    told["model"]["vocab"]["a"] = 2**32 - 1
    tokenizer = open_tokenizer(saved(byte_level(), tmp_path, model=told["model"]))
    assert tokenizer.n_ids == 2**32
    assert 2**32 - 1 in tokenizer.token_list("a").ids


def test_a_long_sentence_is_divided(bytewise):
    sentence = (HARD * 8000)[:200_000]
    tokens = bytewise.token_list(sentence)
    assert tokens[-1].stop == len(sentence)
    assert tokens.longest >= 3


def test_the_library_is_imported_with_the_first_file(tmp_path):
    path = saved(byte_level(), tmp_path)
    code = (
        "import sys, posenc_core.text as text\n"
        "assert not any(name.startswith('tokenizers') for name in sys.modules)\n"
        f"text.open_tokenizer({str(path)!r})\n"
        "assert 'tokenizers' in sys.modules and 'huggingface_hub' not in sys.modules\n"
        "print('imported')"
    )
    assert _output(code) == "imported"


def test_without_the_library_a_sentence_says_how_to_install_it(tmp_path):
    path = saved(byte_level(), tmp_path)
    code = (
        "import sys; sys.modules['tokenizers'] = None\n"
        "import posenc_core.text as text\n"
        f"try: text.open_tokenizer({str(path)!r})\n"
        "except ValueError as error: print(error)"
    )
    assert _output(code).endswith('install it with: python -m pip install "posenc[tokenizers]"')


def _output(code):
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=False)
    assert not done.stderr
    return done.stdout.strip()


def test_a_template_may_repeat_the_sentence(tmp_path):
    twice = processors.TemplateProcessing(single="<s> $A $A", special_tokens=[("<s>", 0)])
    tokens = open_tokenizer(saved(byte_level(post_processor=twice), tmp_path)).token_list("Dan")
    assert texts(tokens) == ["<s>", "Dan", "Dan"]
    assert [(token.start, token.stop) for token in tokens[1:]] == [(0, 3)] * 2
