"""The field's words, each in one plain sentence."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

GLOSSARY: Mapping[str, str] = {
    "ALiBi": "An encoding that lowers each score in proportion to the distance, with a slope per head.",
    "NTK-aware": "A scaling that raises the base: the slowest pair slows by the whole factor, the fastest not at all.",
    "T5": "A model whose encoding adds a learned number to each score, one for each range of distances.",
    "YaRN": "A scaling that keeps fast pairs, slows slow ones by the factor, blends those between, and scales scores.",
    "attention chunk": "A run of positions whose queries attend only to keys of the same run.",
    "attention factor": "The number by which a scaling multiplies the cosines and sines of queries and keys.",
    "attention head": "One of the parts of a layer, each of which compares queries with keys separately.",
    "axis": "A direction in which positions are counted: the text, time, the height or the width of a picture.",
    "base": "The number whose powers give the wavelengths: the larger it is, the slower the last pairs turn.",
    "bfloat16": "A number format of 16 bits that keeps the first 8 binary digits, in which many models compute.",
    "bias": "A number that is added to a score.",
    "bit": "A binary digit, 0 or 1.",
    "bucket": "A range of distances for which T5 learns one number.",
    "cache": "The keys and values of earlier tokens, which a model keeps while it generates text.",
    "chunk": "A run of positions that a rule counts from its own start.",
    "column": "One of the numbers of a vector, counted from 0; a table has a column for each.",
    "config.json": "A model's file with the number of its layers, their widths and their rotation.",
    "context length": "The largest number of tokens that a model reads at once.",
    "contextual position": "A sum of gates from a key up to its query, in place of their distance.",
    "coordinate": "The number of a patch on one axis: its row, its column or its frame, or a number made of these.",
    "cosine": "The cosine of the angle between two vectors: 1 for the same direction, 0 for a right angle, −1 for "
    "opposite ones.",
    "d_model": "The number of columns of a token's vector in a model.",
    "distance": "The number of positions from a key to its query: the query's position minus the key's.",
    "dot product": "The sum of the products of two vectors, column by column.",
    "dynamic NTK": "A scaling whose base grows with the text, from the trained length on.",
    "embedding": "The vector that a model looks up for a token, the same at every position.",
    "encoding": "A rule that maps each position to numbers, to a rotation, or to a change of the scores.",
    "factor": "The number by which a scaling multiplies the trained length: 4 for texts that are four times as long.",
    "formula": "An expression with a value for each position and column.",
    "frequency": "The angle by which a pair turns from one token to the next, in radians.",
    "forget gate": "A number from 0 to 1 of a token, which lowers the scores of all keys before that token.",
    "frame": "One picture of a video.",
    "gate": "A number from 0 to 1 by which something is weighted.",
    "grid": "The rows and columns of a picture's patches, and the frames of a video.",
    "half-split": "The layout in which a column of the first half of a head and one of the second form a pair.",
    "head_dim": "The number of columns of a query or a key in one head.",
    "identity": "The matrix that leaves every vector unchanged.",
    "interleaved": "The layout in which two neighbouring columns form a pair.",
    "key": "The vector by which a token is found by the queries of others.",
    "layer": "One of the blocks of a model that its tokens' vectors pass one after the other.",
    "learned table": "A table whose numbers are found in training, one row for each position.",
    "length": "The number of tokens of a text.",
    "local window": "The nearest keys, whose distances a rule leaves unchanged.",
    "magnitude": "The length of a pair, which in PoPE depends on the token but not on its position.",
    "matrix": "A table of numbers that maps a vector to another one: each new number is a weighted sum of the old "
    "ones.",
    "offset": "A number that is added to every position before it is encoded.",
    "pair": "Two columns that turn together by one angle: the sine and the cosine of it, or two columns of a query.",
    "patch": "A square of a picture, which a model reads as one token.",
    "period": "The number of positions after which a column repeats.",
    "position": "A token's place in the text, counted from 0.",
    "position interpolation": "A scaling that divides every position by the factor, which slows all pairs alike.",
    "query": "The vector with which a token looks for others.",
    "radian": "A unit of angles: a full turn is 2π, some 6.28 radians.",
    "profile": "A trained bias for each distance, of which a token weighs several.",
    "residual": "The difference of a row from the row that a matrix computes for it.",
    "rope_theta": "The base of RoPE, as configuration files call it.",
    "rotary_dim": "The number of rotated columns of a head.",
    "rotary width": "The number of rotated columns of a head, in configuration files rotary_dim.",
    "rotation": "A turn of a pair by an angle, which preserves the pair's length.",
    "row": "All numbers of an encoding at one position.",
    "scaling": "A rule that changes the frequencies of a model for texts longer than those of its training.",
    "score": "The dot product of a query and a key, which decides how much one token contributes to another.",
    "seen distance": "The distance that a rotation uses, where a rule changes the distance in the text.",
    "shift": "A move of all positions by the same number of tokens.",
    "softmax": "The rule that turns scores into weights above 0 whose sum is 1.",
    "standard deviation": "The spread of numbers around their mean: the root of the mean square of the differences.",
    "theta": "The frequency of a pair, or in configuration files the base.",
    "token": "A piece of text that a model reads as one unit: a word, a part of a word, or a punctuation mark.",
    "trained length": "The length of the texts that a model was trained on.",
    "unseen": "Beyond the arc that training showed: an angle of a pair at positions past the trained length.",
    "unseen angle": "An angle of a pair past the arc of training, which is counted up to the trained length.",
    "vector": "A row of numbers.",
    "wavelength": "The number of tokens in which a pair makes one full turn.",
}


_OTHERWISE = frozenset({"cosine", "factor", "length"})
"""Words that derivations use in another sense as well: a pair's cosine, any factor, a vector's length."""


def glossary_words(text: str) -> Iterator[tuple[range, str]]:
    """The places of the glossary's words in a derivation's text, each with its entry; a plural counts as its word."""
    for found in _pattern().finditer(text):
        yield range(*found.span()), found[1]


@cache
def _pattern() -> re.Pattern[str]:
    longest_first = sorted(GLOSSARY.keys() - _OTHERWISE, key=len, reverse=True)
    return re.compile(rf"(?<![\w.])({'|'.join(map(re.escape, longest_first))})s?(?![\w(])")
