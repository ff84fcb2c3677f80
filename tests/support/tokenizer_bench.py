"""Small tokenizers, trained or built by the library itself without a network."""

import json
from pathlib import Path

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

TEXTS = ["Dan loves icecream.", "Ann loves Dan and 日本.", "the family 👩‍👩‍👧 é e\u0301", "naïve café 🍦 日本語"]


def byte_level(**parts):
    """A byte-level BPE with 400 entries, as GPT-2's, and ``<s>`` before each sentence."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=parts.pop("add_prefix_space", False))
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=["<s>", "<end>"],
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXTS * 4, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A", special_tokens=[("<s>", tokenizer.token_to_id("<s>"))]
    )
    for name, part in parts.items():
        setattr(tokenizer, name, part)
    return tokenizer


def byte_fallback():
    """Pieces as SentencePiece makes them: a space before the sentence, and bytes for what has no piece."""
    vocabulary = {"<unk>": 0, "<s>": 1} | {f"<0x{n:02X}>": n + 2 for n in range(256)}
    for word in ("▁", "D", "a", "n", "▁D", "an", "▁Dan", "l", "o"):
        vocabulary[word] = len(vocabulary)
    merges = [("▁", "D"), ("a", "n"), ("▁D", "an")]
    model = models.BPE(vocabulary, merges, unk_token="<unk>", byte_fallback=True, fuse_unk=True)
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.Sequence([normalizers.Prepend("▁"), normalizers.Replace(" ", "▁")])
    tokenizer.decoder = decoders.Sequence([decoders.Replace("▁", " "), decoders.ByteFallback(), decoders.Fuse()])
    return tokenizer


def word_pieces():
    """A vocabulary like BERT's in lower case, with an unknown token."""
    words = ["[UNK]", "[CLS]", "[SEP]", "dan", "loves", "ice", "##cream"]
    model = models.WordPiece({word: n for n, word in enumerate(words)}, unk_token="[UNK]")
    tokenizer = Tokenizer(model)
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 1), ("[SEP]", 2)]
    )
    return tokenizer


def saved(tokenizer, folder: Path, **changed) -> Path:
    """The path of the tokenizer's file in a folder, with some of its parts replaced."""
    path = folder / "tokenizer.json"
    path.write_text(json.dumps(json.loads(tokenizer.to_str()) | changed), encoding="utf-8")
    return path
