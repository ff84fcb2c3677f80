"""The field's words, each in one plain sentence."""

from collections.abc import Mapping

GLOSSARY: Mapping[str, str] = {
    "position": "A token's place in the text, counted from 0.",
    "token": "A piece of text that a model reads as one unit: a word, a part of a word, or a sign.",
    "column": "One of the numbers of a vector, counted from 0; the table of an encoding has a column for each.",
    "row": "All numbers that an encoding gives one position.",
    "embedding": "The vector that a model looks up for a token, wherever in the text the token stands.",
    "d_model": "The number of columns of a token's vector in the model.",
    "cosine": "The cosine of the angle between two vectors: 1 for one direction, 0 for a right angle, -1 for opposite.",
    "bfloat16": "A number format of 16 bits with 8 binary digits of precision, which many models compute in.",
}
