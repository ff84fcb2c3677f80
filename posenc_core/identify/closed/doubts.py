"""Sentences on what numbers do not determine: learned numbers of known families, and families without a formula."""

FITTED = {
    "grape_m": "They determine the plane and its speed, not a and b: those given are orthogonal and of length 1.",
    "t5": "The number of each bucket is learned and taken as given: only the distances that share one are checked.",
    "shaw": "The numbers up to clip are learned and taken as given: only that farther keys share theirs is checked.",
    "relative_bank": "The numbers below rel_extent are learned and taken as given: only the zeros beyond are checked.",
}
"""Sentences on parameters that numbers of a family do not determine."""
