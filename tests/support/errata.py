"""Wrong sentences on positional encodings that are in circulation, as patterns that no text of ours may contain.

The numbers are those of the list of errata of five tutorials. Three of the 61 are no patterns: 13 (boxes of a drawing
labelled by tokens), 47 (one letter for columns and for pairs, in two places) and 55 (a figure beside another equation).
"""

import re

ERRATA = {
    1: (r"pos(ition)? 4\b.{0,30}0\.1411", "pos 4: 0.14112, -0.98999"),
    2: (r"10000\^\{?\(?(1/4|0\.25)", "10000^(1/4) = 10"),
    3: (r"sine?\(0\) ?= ?0\.8", "sin(1/1) = sin(0) = 0.84147098"),
    4: (r"pos_\{?\(?00", "pos_{00} = sin(0 / 10000^(0/4)"),
    5: (r"0\.1 ?\+ ?0\b.{0,20}0\.2 ?\+ ?1\b", "[0.1+0, 0.2+1, 0.3+2, 0.4+3]"),
    6: (r"\bwill effect\b", "that will effect the gradients"),
    7: (r"not possible to know how many tokens", "it is not possible to know how many tokens there are"),
    8: (r"\bi\b.{0,20}\bcolumn index", "i is used as a column index"),
    9: (r"vector of (four|4) tokens|(four|4) rows and (four|4) columns", "a matrix of four rows and four columns"),
    10: (r"wave for each token", "a wave for each token in the sequence"),
    11: (r"sine?\(1\) ?= ?0\b(?!\.8)", "sine(1)=0"),
    12: (r"second token.{0,20}sine?\(2\)|third.{0,20}sine?\(3\)", "the second token has sine(2)=0.90929743"),
    14: (r"longer frequenc", "this would have a longer frequency"),
    15: (r"first column repeats every (2|two)", "the first column repeats every 2 entries, the second every 4"),
    16: (r"there is (a )?straight ?forward way", "there is straight forward way to represent relative positions"),
    17: (r"does not tells? us that it comes before", "100 does not tells us that it comes before 101"),
    18: (r"starts at 0 and then goes to 1", "the sine wave starts at 0 and then goes to 1"),
    19: (r"smaller number of bits|bits instead of 16", "4 bits instead of 16 bits"),
    20: (r"represents a frequency|straight out", "10000^(2i/d) represents a frequency which decreases as i increases"),
    21: (r"relative positions? .{0,20}updated each time", "relative positions are updated each time a token is added"),
    22: (r"embedding size // context length|RoPE encoding: ?\[", "RoPE encoding: [cos(n theta_0), ...]"),
    23: (r"theta_\(d/2\) ?- ?1", "theta_(d/2)-1"),
    24: (r"10000 theta\^", "theta_i = 10000 theta^-2i/d"),
    25: (r"\bi\b ?\(?(is )?(the )?token (sequence )?position", "i (token sequence position)"),
    26: (r"\^\(-\d+ ?\* ?\d+\)/2048", "10000^(-1*0)/2048"),
    27: (r"0\.99975585|0\.9995117", "0.999755859375"),
    28: (r"0\.00024414|0\.00012207", "0.000244140625"),
    29: (r"(theta|θ).{0,20}(near|close to) 1\b.{0,40}(lower|longer)|near 0\b.{0,40}(higher freq|shorter)",
         "theta near 1 means a lower frequency and longer wavelengths"),
    30: (r"context.{0,40}by increasing d\b", "to a larger context window by increasing d"),
    31: (r"interpolation.{0,40}rescal\w+ the (rotation )?frequenc", "interpolation means rescaling the frequencies"),
    32: (r"theta\^2/d", "beta = theta^2/d"),
    33: (r"extension ration|call this values", "the extension ration; call this values L prime"),
    34: (r"NTK.{0,40}\b(splits|different scaling factor)", "NTK-aware splits up the lower and higher dimensions"),
    35: (r"lower dimensions.{0,30}higher|higher dimensions.{0,30}lower", "for lower dimensions the factor is higher"),
    36: (r"YaRN.{0,40}(extension of NTK|two sections)", "YaRN is an extension of NTK"),
    37: (r"RoPE (addresses|solves)|something that RoPE", "unseen positions are something that RoPE addresses"),
    38: (r"(hard|difficult) to generali[sz]e to other lengths", "sinusoids are hard to generalise to other lengths"),
    39: (r"simliar|demensions|short coming|\bLets\b|occilations|wavelenght|secions|icecream|highter|\ba a\b|extentio",
         "the wavelenght of demensions"),
    40: (r"vector with the input embedding", "adding a vector with the input embedding"),
    41: (r"0 ?(<=|≤|\\le) ?k ?< ?L/2", "0 <= k < L/2"),
    42: (r"first half of the output", "because the first half of the output is the sin values"),
    43: (r"[Oo]r,? alternatively", "Or, alternatively, for odd indices"),
    44: (r"to index \(k, ?j\)", "maps position k to index (k,j) of the matrix"),
    45: (r"â€|Ã.|ğ.|ï»¿", "â€œquotesâ€"),
    46: (r"\b(n|base) controls the (frequency|wavelength)", "n controls the frequency and wavelength"),
    48: (r"2i/d\)?\}?\$? controls the wavelength", "10000^(2i/d) controls the wavelength"),
    49: (r"\bd(_model)? must be even", "d must be even"),
    50: (r"uniquely represented", "ensures that positions are uniquely represented"),
    51: (r"\\\(|\\\)", r"\(d\)"),
    52: (r"0 ?< ?i ?(<=|≤|\\le) ?d", "0 < i <= d_e/2"),
    53: (r"maximum (sequence )?length.{0,40}10,?000\b", "the maximum sequence length, arbitrarily set to 10,000"),
    54: (r"decreases across the position", "the frequency decreases across the position dimension"),
    56: (r"better,? extrapolation", "chosen for better extrapolation capabilities"),
    57: (r"zero-cent(e)?red", "the encodings are zero-centered"),
    58: (r"vanish.{0,20}back-?propagation", "would easily vanish during back-propagation"),
    59: (r"W_\{?p\}?\b.{0,10}\\to|W_p: ?N", "W_p: N -> R^d"),
    60: (r"only considered during computation", "it is only considered during computation"),
    61: (r"TODO|FIXME", "TODO: add a figure"),
}  # fmt: skip
"""By the number of an erratum, its pattern and a sentence that contains it."""


def errata_in(text: str) -> list[int]:
    """The numbers of the errata that a text contains."""
    return [number for number, (pattern, _) in ERRATA.items() if re.search(pattern, text)]
