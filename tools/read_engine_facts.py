"""Reads the facts of engines' model classes from released packages, and writes ``posenc_core/engines/facts.json``.

    python tools/read_engine_facts.py WHEELS [FILE]

WHEELS is a folder with the packages of transformers, vllm, sglang, mlx-lm and exllamav3 as wheels and of
llama-cpp-python as an archive of sources (``pip download --no-deps --no-binary llama-cpp-python ...``). Nothing of them
is imported or run: their Python is parsed. A fact is null where the source does not say it in a form understood here.

Per class of an engine:

- ``layout``: "half_split" or "interleaved" where each call that makes a rotation says the same;
- ``latent``: the class has DeepSeek's form of YaRN, which also scales the softmax;
- ``labels``: kinds of layers have parameters of their own, read by name;
- ``share``: where partial_rotary_factor is read, "parameters", "top", "" for nowhere, "class" for another key, "latent"
  (mlx-lm) where qk_rope_head_dim alone counts;
- ``scaled``: the scalings that reach the rotation: "all", "longrope", "" for none, "own" for the class's own choice;
  of llama.cpp those that the converter writes as keys;
- ``beside`` (SGLang): original_max_position_embeddings beside the parameters replaces the one among them;
- ``window``: "none" where the class hands no window to its attention, "layer" where each layer has the window of its
  type, "even" where layers of even numbers have it, "listed N" where those have it that the file's layer_types name,
  and without this key all but each N-th, "listed" where that is not said in this form, "typed" where these have none
  without the key, "period N" where each N-th has none; "+1" for a token more than the key has; "all" (vLLM) where one
  is for all layers and none if their types differ; "graph" (llama.cpp) where the converter writes the size alone;
- ``spelling`` (mlx-lm): which of rope_scaling and rope_parameters is read: "old", "both", "new", "fixed" for neither,
  "base" for the base of rope_parameters alone, "first" for rope_parameters before the keys beside it, "only" for
  nothing beside it, "nested" for rope_parameters by layer type, "neox" for GPT-NeoX's keys, null for another form;
- ``layers`` (mlx-lm): kinds of layers that layer_types must contain, if the file has the key;
- ``needs`` (mlx-lm): rotary keys without a default; ``asks``, ``kinds``: keys and types that a scaling must have;
- ``own`` (mlx-lm): false for the facts of a module that another one imports;
- ``names`` (vLLM): the last version with an architecture that it does not have any more;
- ``others``: modules of mlx-lm whose rotation was not read, types with a configuration of SGLang's own;
- ``base``: rope_theta of a file without the key, null where the engine needs it;
- ``longest``, ``width`` (mlx-lm): max_position_embeddings and head_dim of a file without them; ``longest`` is null
  where the rotation gets no length;
- ``default_share``: partial_rotary_factor of a file without the key;
- ``factors``, ``lists``, ``weighted`` (llama.cpp): the converter writes divisors for the rule of Llama 3, LongRoPE's
  lists, and the amplitude beside them; ``needs`` are the rotary parameters that it needs.
"""

import ast
import json
import re
import sys
import tarfile
import zipfile
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

TARGET = Path(__file__).parents[1] / "posenc_core" / "engines" / "facts.json"

Texts = dict[str, str]
Facts = dict[str, Any]

_LAYOUTS = {True: "half_split", False: "interleaved"}


def main() -> None:
    """Write the facts of every engine whose package is in the folder."""
    wheels, target = Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else TARGET
    engines = {}
    for name, (pattern, inside, read) in ENGINES.items():
        (package,) = wheels.glob(pattern)
        version = package.name.removesuffix(".tar.gz").split("-")[1]
        engines[name] = {"version": version, **read(texts_of(package, inside))}
    facts = {"read": date.today().isoformat(), "engines": engines}
    target.write_text(as_text(facts), encoding="utf-8")


def as_text(facts: Facts) -> str:
    """The JSON of the facts, a line for each class, so that a difference between two versions can be read."""
    lines = [f'{{"read": {json.dumps(facts["read"])}, "engines": {{']
    for engine, found in facts["engines"].items():
        lines.append(f'{json.dumps(engine)}: {{"version": {json.dumps(found["version"])}')
        if "others" in found:
            lines.append(f', "others": {json.dumps(found["others"])}')
        for table in ("architectures", "names", "classes"):
            if table in found:
                rows = (f"  {json.dumps(name)}: {json.dumps(each)}" for name, each in sorted(found[table].items()))
                lines.append(f', "{table}": {{\n' + ",\n".join(rows) + "\n }")
        lines.append("},")
    return "\n".join([*lines[:-1], "}}}"]) + "\n"


def texts_of(package: Path, inside: str) -> Texts:
    """The Python files of the package whose path matches, by path."""
    if package.suffix == ".whl":
        with zipfile.ZipFile(package) as archive:
            names = [name for name in archive.namelist() if re.search(inside, name)]
            return {name: archive.read(name).decode() for name in names}
    with tarfile.open(package) as archive:
        members = [each for each in archive.getmembers() if each.isfile() and re.search(inside, each.name)]
        return {each.name: archive.extractfile(each).read().decode() for each in members}  # type: ignore[union-attr]


_PARTS = ("model", "attention", "mla", "__init__", "nvidia", "common")


def stem(path: str) -> str:
    """The name of a module: that of its file, of a package that of its folder."""
    return next(each for each in reversed(Path(path).with_suffix("").parts) if each not in _PARTS)


def calls(tree: ast.AST, *names: str) -> list[ast.Call]:
    """The calls of functions of these names."""
    found = (node for node in ast.walk(tree) if isinstance(node, ast.Call))
    return [call for call in found if ast.unparse(call.func).rpartition(".")[2] in names]


def argument(call: ast.Call, name: str, place: int = -1) -> ast.expr | None:
    """The expression of an argument by its name, or its place among those without names."""
    for each in call.keywords:
        if each.arg == name:
            return each.value
    return call.args[place] if 0 <= place < len(call.args) else None


def known_layout(flags: Iterator[Any]) -> str | None:
    """The layout that all flags agree on; None for others, and where an expression decides."""
    found = set(flags)
    return _LAYOUTS.get(found.pop()) if len(found) == 1 else None


def flag(tree: ast.AST, value: ast.expr | None, default: Any) -> Any:
    """The constant value of an argument, through one name that has one value in the module; else None."""
    if value is None:
        return default
    if isinstance(constant(value), bool | float | int):
        return constant(value)
    name = ast.unparse(value).rpartition(".")[2]
    given = [
        node.value
        for node in ast.walk(tree)
        if (isinstance(node, ast.Assign) and any(ast.unparse(each) == name for each in node.targets))
        or (isinstance(node, ast.AnnAssign) and ast.unparse(node.target) == name)
    ]
    values = {constant(each) for each in given if each is not None and ast.unparse(each) != name}
    return values.pop() if len(values) == 1 else None


def constant(value: ast.expr) -> Any:
    """The value of a constant, or of a key that public files do not have, ``getattr(config, name, constant)``."""
    if isinstance(value, ast.Constant):
        return value.value
    usual = re.fullmatch(r"(not )?getattr\(\w+(?:\.\w+)*, '\w+', (True|False)\)", ast.unparse(value))
    return (usual[2] == "True") != bool(usual[1]) if usual else None


def inherited(name: str, facts: Mapping[str, Facts | None], texts: Mapping[str, str], depth: int = 0) -> Facts | None:
    """The facts of a module; those of the first module that it imports which has some, where it has none."""
    if facts.get(name) is not None or depth > 3:
        return facts.get(name)
    imports = r"^from (?:\.|[\w.]+\.models\.)(\w+) import (\([^)]*|.*)|^from \. import (\w+)"
    lines = sorted(re.findall(imports, texts.get(name, ""), re.MULTILINE), key=lambda each: "Attention" not in each[1])
    imported = [one or other for one, _, other in lines]
    found = (inherited(each, facts, texts, depth + 1) for each in imported if each != name)
    return next((each for each in found if each is not None), None)


def by_module(texts: Texts, one: Callable[[ast.AST, str], Facts | None]) -> dict[str, Facts]:
    """The facts of each module by its name, with those inherited from others."""
    named: dict[str, str] = {}
    for path, text in texts.items():
        named[stem(path)] = f"{named.get(stem(path), '')}\n{text}"
    own = {name: one(ast.parse(text), text) for name, text in named.items()}
    found = {name: inherited(name, own, named) for name in named}
    return {name: each for name, each in found.items() if each is not None}


def torch_engine(tree: ast.AST, text: str, window: Callable[[ast.AST, str], str | None]) -> Facts | None:
    """A module of vLLM or SGLang, which calls ``get_rope``."""
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and not re.search(_ASIDE, node.name)]
    made = [call for node in classes for call in calls(node, "get_rope", "get_rope_wrapper")]
    if not made:
        return None
    main = [call for call in made if "indexer" not in ast.unparse(call)]
    main = [call for call in main if "qk_rope_head_dim" in ast.unparse(call)] or main
    if re.search(r"config\.rotary_(pct|dim|emb_fraction)|rotary_percent|\[.partial_rotary_factor.\] = ", text):
        share = "class"
    elif '(config, "partial_rotary_factor"' in text or "config.partial_rotary_factor" in text:
        share = "top"
    else:
        share = "parameters" if "partial_rotary_factor" in text else ""
    if '.get("partial_rotary_factor")' in text or '.get("partial_rotary_factor",' in text:
        share = "parameters"
    plain = {ast.unparse(each.value) for call in main for each in call.keywords if each.arg == "rotary_dim"}
    if (
        plain
        and plain <= {"self.head_dim", "head_dim"}
        and not any(argument(call, "partial_rotary_factor") for call in main)
    ):
        share = ""
    own = re.search(
        r"\[(self\.|config\.)*(layer_type|attention_type)|sliding_attention|local_base|swa_rope_theta", text
    )
    return {
        "layout": llama_layout(tree, main),
        "latent": "deepseek_yarn" in text,
        "labels": own is not None,
        "share": share,
        "scaled": "" if re.search(r"\n +rope_theta, _ = get_rope_config", text) else handed_on(main),
        "beside": '"original_max_position_embeddings"] = ' in text,
        "window": window(tree, text),
    }


def vllm_window(_: ast.AST, text: str) -> str | None:
    """The rule of windows in a module of vLLM."""
    if "hunkedLocalAttention" in text:
        return "layer" if "not self.nope and config.attention_chunk_size" in text else None
    if "per_layer_sliding_window=" not in text or re.search(r"(per_layer_sliding|attn)_window\w*: .* = None", text):
        return "all"
    forms = (name for name, pattern in _WINDOWS.items() if re.search(pattern, text))
    return next(forms, None)


_WINDOWS = {
    "layer+1": r"config\.sliding_window \+ 1",
    "even": r"config\.sliding_window if self\.layer_idx % 2 == 0",
    "layer": r"is_sliding|granite_layer|is_local_att|is_chunked|== \"(sliding_attention\"\s+else|full_attention\":)",
}


def sglang_window(tree: ast.AST, text: str) -> str | None:
    """The rule of windows in a module of SGLang, whose attention sees a token more than ``sliding_window_size``.

    Without "- 1" the result depends on the backend of the attention, which is not followed here.
    """
    classes = [node for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and not re.search(_ASIDE, node.name)]
    made = [call for node in classes for call in calls(node, "RadixAttention")]
    if not made or any(argument(call, "use_irope") for call in made):
        return None
    if not any(argument(call, "sliding_window_size") for call in made):
        return "none"
    has_other = re.search(r"config\.sliding_window\b(?! - 1| is )|sliding_window_pattern|sliding_window_size - 1", text)
    if has_other or "config.sliding_window - 1" not in text:
        return None
    return "even" if "layer_id % 2 == 0" in text else "layer" if "layer_type" in text else None


_ASIDE = r"Vision|Visual|Vit|ViT|Audio|Encoder|Indexer"
"""Classes beside a text's own attention."""


def handed_on(made: list[ast.Call]) -> str:
    """The scalings that the calls hand on to the rotation."""
    found = set()
    for call in made:
        place = 5 if argument(call, "base", 3) is not None and argument(call, "rope_parameters") is None else 3
        given = argument(call, "rope_parameters") or argument(call, "rope_scaling", place)
        if given is None and any(each.arg is None for each in call.keywords):  # vLLM's rotary_kwargs
            found.add("all")
        elif given is None or (isinstance(given, ast.Constant) and given.value is None):
            found.add("")
        elif isinstance(given, ast.Dict) and None not in given.keys:
            text = ast.unparse(given)
            found.add("" if "'rope_type': 'default'" in text or "rope_type" not in text else "own")
        else:
            found.add("all")
    return "own" if "own" in found or not found else max(found)


def llama_layout(tree: ast.AST, made: list[ast.Call]) -> str | None:
    """The layout; a name that is made False for GGUF files alone counts as what it is for others."""
    text = ast.unparse(tree)
    gguf = re.search(r"is_neox_style = True\s+is_gguf = .*\s+if is_gguf and [^\n]*\s+is_neox_style = False", text)
    if gguf:
        return "half_split"
    return known_layout(flag(tree, argument(call, "is_neox_style"), True) for call in made)


def vllm(texts: Texts) -> Facts:
    """vLLM: the registry names a module for each architecture."""
    registry = next(text for path, text in texts.items() if path.endswith("models/registry.py"))
    gone = registry.partition("_PREVIOUSLY_SUPPORTED_MODELS = {")[2].partition("\n}\n")[0]
    listed = re.findall(r'"(\w+)":\s*\(\s*"([\w.]+)"', registry)
    architectures = {a: m.rpartition(".")[2] for a, m in listed}
    classes = by_module(texts, lambda tree, text: torch_engine(tree, text, vllm_window))
    for path, text in texts.items():  # a whole that names the architecture of its text
        named = re.search(r'architectures=\[\s*"(\w+)"', text)
        if named and architectures.get(named[1]) in classes:
            classes.setdefault(stem(path), classes[architectures[named[1]]])
    names = dict(re.findall(r'"(\w+)": "([\d.]+)"', gone))
    return {"classes": classes, "architectures": architectures, "names": names}


def sglang(texts: Texts) -> Facts:
    """SGLang: each module names its classes in ``EntryClass``."""
    own = "".join(text for path, text in texts.items() if "/models/" not in path)
    texts = {path: text for path, text in texts.items() if "/models/" in path}
    architectures: dict[str, str] = {}
    for path, text in texts.items():
        entry = re.search(r"^EntryClass\s*=\s*(\[[^\]]*\]|\w+)", text, re.MULTILINE)
        architectures |= {
            name: home_of(name, text, stem(path)) for name in re.findall(r"\w+", entry[1] if entry else "")
        }
    classes = by_module(texts, lambda tree, text: torch_engine(tree, text, sglang_window))
    for path, text in texts.items():  # it tells the attention of another module
        if 'getattr(config, "rope_is_neox_style", False)' in text:
            classes[stem(path)] = {**classes[stem(path)], "layout": "interleaved"}
        if "(RotaryEmbedding):" in text and stem(path) in classes:  # Grok's, for the types beside its other keys
            classes[stem(path)] = {**classes[stem(path)], "scaled": "own"}
    typed = r"^class (\w+)\(.*\):\n(?:(?!class ).*\n)*?    model_type(?:: str)? = \"([\w-]+)\""
    others = sorted({kind for name, kind in re.findall(typed, own, re.MULTILINE) if f"\n        {name},\n" in own})
    return {"classes": classes, "architectures": architectures, "others": others}


def home_of(name: str, text: str, module: str) -> str:
    """The module with the attention of a class: that of another module's class, where it has no line of its own."""
    body = r"\n(?:    (?:pass|\w+ = .*|\"\"\".*\"\"\")\n)+(?=\n*(?:\S|\Z))"
    empty = re.search(rf"^class {name}\((\w+)\):{body}", text, re.MULTILINE)
    listed = rf"(?:\([^)]*|[^\n(]*)\b{empty[1]}\b" if empty else "$^"
    imported = re.search(rf"^from [\w.]+\.models\.(\w+) import {listed}", text, re.MULTILINE)
    return imported[1] if imported else module


def mlx_lm(texts: Texts) -> Facts:
    """mlx-lm: a module for each model_type, and a table of other names."""
    utilities = next(text for path, text in texts.items() if path.endswith("mlx_lm/utils.py"))
    table = utilities.partition("MODEL_REMAPPING = {")[2].partition("}\n")[0]
    models = {path: text for path, text in texts.items() if "/models/" in path}
    classes = by_module(models, mlx_module)
    own = {stem(path): text for path, text in models.items() if mlx_module(ast.parse(text), text) is None}
    for name in sorted(own, key=lambda each: depth_of(each, own)):  # those that import from others, after them
        found = inherited(name, {each: classes.get(each) for each in classes if each != name}, own)
        if name in classes and found is not None:
            classes[name] = {**found, "own": False, **beside(own[name], found)}
    others = sorted({stem(path) for path, text in models.items() if "class Model(" in text} - classes.keys())
    return {"classes": classes, "names": dict(re.findall(r'"([\w-]+)": "(\w+)"', table)), "others": others}


def depth_of(name: str, texts: Mapping[str, str], depth: int = 0) -> int:
    """The number of modules without facts of their own that a module imports, one from the other."""
    imported = re.findall(r"^from \.(?:(\w+) import| import (\w+))", texts.get(name, ""), re.MULTILINE)
    further = [one or other for one, other in imported if (one or other) in texts and (one or other) != name]
    return max((depth_of(each, texts, depth + 1) for each in further if depth < 4), default=-1) + 1


def beside(text: str, found: Facts) -> Facts:
    """The facts that the fields of a module's own ``ModelArgs`` replace."""
    fields = model_fields(ast.parse(text))
    spelling = "new" if _NEW in text else spelling_of(text, found["spelling"])
    facts: Facts = {"spelling": spelling}
    if fields:
        facts["needs"] = needed_of(fields)
    if "rope_theta" in fields:
        facts["base"] = inner_base(text, spelling) or number(fields["rope_theta"])
    if "partial_rotary_factor" in fields:
        facts["default_share"] = number(fields["partial_rotary_factor"])
    return facts


def mlx_module(tree: ast.AST, text: str) -> Facts | None:
    """A module of mlx-lm; its parameters are the fields of ``ModelArgs``."""
    made = calls(tree, "initialize_rope", "RoPE", "SuScaledRoPE")
    if not made or "class ModelArgs" not in text:
        return None
    fields = model_fields(tree)
    base = fields.get("rope_theta")
    bases = [argument(call, "base", -1) for call in made if ast.unparse(call.func).endswith("RoPE")]
    fixed = 10000.0 if bases and all(each is None for each in bases) else None  # nn.RoPE's own
    fixed = fixed or number(argument(made[0], "base"))
    spelling = spelling_of(text, "fixed" if fixed else "old" if "rope_theta" in fields else None)
    scalings = {scalings_of(call) for call in made}
    checks = re.search(r"required_keys = (\{.*\})[\s\S]*?(?:not in (\[.*\])|!= (\".*\")):\s+raise", text)
    asks = ast.literal_eval(checks[1]) if checks else {*re.findall(r'args\.rope_parameters\[\s*"(\w+)"', text)}
    widths = {ast.unparse(each) for call in made if (each := argument(call, "dims", 0)) is not None}
    places = {"initialize_rope": 2, "RoPE": 1, "SuScaledRoPE": 99}
    flags = (
        flag(tree, argument(call, "traditional", places[ast.unparse(call.func).rpartition(".")[2]]), False)
        for call in made
    )
    return {
        "layout": known_layout({None: None, True: False, False: True}.get(each) for each in flags),
        "spelling": spelling,
        "scaled": next((each for each in ("all", "longrope", "own") if each in scalings), ""),
        "needs": needed_of(fields),
        "asks": sorted(asks - {"rope_theta"}),
        "kinds": ast.literal_eval(checks[2] or f"[{checks[3]}]") if checks else [],
        "base": fixed or inner_base(text, spelling) or number(base),
        "longest": longest_of(made, fields),
        "width": whole(fields.get("head_dim")),
        "latent": "mscale_all_dim" in text or "apply_yarn_mscale" in text,
        "labels": any(word in text for word in ("rope_local_base_freq", "swa_rope_theta", "is_sliding", "is_swa")),
        "share": "latent"
        if any("qk_rope_head_dim" in each for each in widths)
        else "top"
        if re.search(r"(args|config|self)\.partial_rotary_factor\b|get\(.partial_rotary_factor", text)
        else "class"
        if re.search("rotary_dim|rotary_pct", text) or any("//" in each for each in widths)
        else "",
        "default_share": flag(tree, fields.get("partial_rotary_factor"), 1.0),
        "window": mlx_window(text, fields),
        "layers": sorted(set(re.findall(r'_idx = (?:\w+\.)?layer_types\.index\("(\w+)"\)', text))),
    }


def mlx_window(text: str, fields: Mapping[str, ast.expr | None]) -> str | None:
    """The rule of windows in a module of mlx-lm, whose masks keep ``window_size`` tokens, the query's included."""
    if not re.search(r"window|Rotating|attention_chunk", text):
        return "none"
    is_key = re.search(r"window_size=self\.(args\.)?(sliding_)?window(_size)?\b[^+]", text)
    if "sliding_window" not in fields or not is_key:
        return None
    if re.search(r"\(layer_idx \+ 1\) % args\.sliding_window_pattern != 0", text):
        return f"period {whole(fields['sliding_window_pattern'])}"
    if '["full_attention"] * self.num_hidden_layers' in text:
        return "typed"
    return "listed" if '"sliding_attention"' in text and "layer_types" in fields else None


def inner_base(text: str, spelling: str | None) -> float | None:
    """The base of rope_parameters without rope_theta, where nothing beside them counts."""
    found = re.search(r'param\w*\.get\("rope_theta", ([\d.]+)\)', text)
    return float(found[1]) if found and spelling in ("only", "nested") else None


def number(value: ast.expr | None) -> float | None:
    """The number of a constant."""
    found = value.value if isinstance(value, ast.Constant) else None
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None


def whole(value: ast.expr | None) -> int | None:
    """The whole number of a constant."""
    found = number(value)
    return None if found is None else int(found)


def longest_of(made: list[ast.Call], fields: Mapping[str, ast.expr | None]) -> int | None:
    """The default of max_position_embeddings, 0 for a length that the file must give, None for one not handed on."""
    handed = [argument(call, "max_position_embeddings", 4) for call in made if "RoPE" not in ast.unparse(call.func)]
    if handed and not any(handed):
        return None
    return whole(fields.get("max_position_embeddings")) or 0


def spelling_of(text: str, usual: str | None) -> str | None:
    """The form in which a module of mlx-lm reads its rotary keys; ``usual`` where it does not name rope_parameters."""
    forms = (name for name, pattern in _SPELLINGS.items() if re.search(pattern, text))
    return next(forms, None if "rope_parameters" in text else usual)


_SPELLINGS = {
    "only": r'self\.rope_theta = self\.rope_parameters\.get\("rope_theta", [\d.]+\)\s+self\.rope_scaling =',
    "first": r"rope = self\.rope_parameters or \{\}",
    "both": r"self\.rope_scaling = self\.rope_parameters",
    "new": r'args\.rope_parameters\["rope_theta"\]',
    "nested": r"rope_parameters(?: or \{\}\))?(?:\[layer_type\]|\.get\(layer_(?:type|key))",
    "neox": r"base=args\.rotary_emb_base",
    "base": r'self\.rope_theta = self\.rope_parameters(?:\["rope_theta"\]|\.get\("rope_theta", 10000\.0\))',
}


def model_fields(tree: ast.AST) -> dict[str, ast.expr | None]:
    """The parameters of a module of mlx-lm, with their defaults."""
    return {
        ast.unparse(node.target): node.value
        for kind in ast.walk(tree)
        if isinstance(kind, ast.ClassDef) and kind.name.endswith(("ModelArgs", "TextArgs", "TextConfig"))
        for node in kind.body
        if isinstance(node, ast.AnnAssign)
    }


def needed_of(fields: Mapping[str, ast.expr | None]) -> list[str]:
    """The rotary keys without a default."""
    return sorted(name for name in _ROTARY if name in fields and fields[name] is None)


_ROTARY = (
    "rope_theta", "rope_scaling", "rope_parameters", "partial_rotary_factor", "max_position_embeddings",
    "rotary_emb_base", "rotary_pct",
)  # fmt: skip
_NEW = """
        self.rope_scaling = self.rope_parameters
        self.rope_theta = self.rope_parameters["rope_theta"]
"""


def scalings_of(call: ast.Call) -> str:
    """The scalings that a call of mlx-lm can hand on."""
    name = ast.unparse(call.func).rpartition(".")[2]
    if name == "initialize_rope":
        given = argument(call, "scaling_config", 3)
        return "" if given is None or ast.unparse(given) == "None" else "all"
    return "longrope" if name == "SuScaledRoPE" else "own" if argument(call, "scale", 3) is not None else ""


def exllamav3(texts: Texts) -> Facts:
    """exllamav3: each module names its architectures in ``arch_string``."""
    architectures = {
        name: stem(path) for path, text in texts.items() for name in re.findall(r'arch_string = "(\w+)"', text)
    }
    return {"classes": by_module(texts, exllama_module), "architectures": architectures}


def exllama_module(tree: ast.AST, text: str) -> Facts | None:
    """A module of exllamav3, which reads its settings of the rotation with one function."""
    made = [each for each in calls(tree, "read_rope_settings_default") if "vision" not in ast.unparse(each)]
    if not made:
        return None
    styles = {ast.unparse(each.args[0]).rpartition(".")[2] for each in made if each.args}
    style = {"NEOX": True, "GPTJ": False}.get(styles.pop()) if len(styles) == 1 else None
    return {
        "layout": None if style is None else _LAYOUTS[style],
        "latent": "yarn_mscale_ratio = True" in text,
        "labels": len(made) > 1 or "override_type" in text,
        "base": flag(tree, argument(made[0], "default_rope_theta"), 10000.0),
        "default_share": flag(tree, argument(made[0], "default_partial_rotary_factor"), 1.0),
        "window": exllama_window(text),
    }


def exllama_window(text: str) -> str | None:
    """The rule of windows in a module of exllamav3, whose kernels keep a token more than ``sliding_window``."""
    if not re.search(r"window(?!\", False)", text):
        return "none"
    is_listed = "layer_types" in text and '"sliding_attention"' in text
    if not is_listed or not re.search(r"^ +sliding_window ?=", text, re.M):
        return None
    period = re.search(r'"sliding_window_pattern", (\d+)\)', text)
    more = "" if re.search(r'sliding_window - 1|sliding_window", 0\) - 1', text) else "+1"
    return f"listed{f' {period[1]}' if period else ''}{more}"


def llama_cpp(texts: Texts) -> Facts:
    """llama.cpp: the converter's class for each architecture of a config.json, and the name of its own."""
    kinds: dict[str, ast.ClassDef] = {}
    for text in texts.values():
        kinds |= {node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)}
    found = {}
    for node in kinds.values():
        for name in registered(node):
            chain = list(dict.fromkeys(reversed(list(ancestors(node, kinds)))))[::-1]
            arch = next((each for each in map(own_architecture, chain) if each), "")
            extra = next((each for each in map(extra_tensors, chain) if each), "")
            if arch and arch != "MMPROJ":
                found[name] = {"arch": arch, "factors": "llama3" in extra, "lists": "long_factor" in extra}
                found[name] |= written_by(chain)
    constants = next(text for path, text in texts.items() if path.endswith("gguf/constants.py"))
    names = dict(re.findall(r'MODEL_ARCH\.(\w+):\s*"([\w-]+)"', constants))
    return {"classes": {name: {**each, "arch": names.get(each["arch"], "")} for name, each in found.items()}}


def written_by(chain: list[ast.ClassDef]) -> Facts:
    """Keys that the classes of a chain write, each class after its base classes, or after the one that it names."""
    texts, reaches, wanted = [], True, ""
    for each in chain:
        own = [one for one in each.body if isinstance(one, ast.FunctionDef) and one.name == "set_gguf_parameters"]
        if each.name == "TextModel" or not reaches:
            break
        if wanted not in ("", each.name):
            continue
        texts += [ast.unparse(one) for one in own]
        named = re.search(r"\b([A-Z]\w+)\.set_gguf_parameters\(self\)", texts[-1]) if own else None
        wanted = named[1] if named else ""
        reaches = not own or named is not None or ".set_gguf_parameters()" in texts[-1]
    text = "\n".join(texts)
    is_fixed = re.search(r"rope_freq = 10000|add_rope_freq_base\(10000\.0\)", text)
    is_fixed = is_fixed or not (reaches or "add_rope_freq_base" in text)
    is_own = re.search(r"RopeScalingType\.YARN|== 'dynamic'|add_rope_scaling_factor\((self|factor)", text)
    usual = re.search(r"'partial_rotary_factor', ([\d.]+)\)", "\n".join(map(ast.unparse, chain[:-2])))
    partial = re.search(r"partial_rotary|rotary_(pct|factor|emb)", text)
    is_listed = "== 'sliding_attention'" in text and "'layer_types'" in text
    window = "listed" if is_listed else "graph" if "add_sliding_window(" in text else "none"
    return {
        "window": None if "add_sliding_window_pattern(" in text and not is_listed else window,
        "share": "class" if re.search(r"\['rotary_dim'\]", text) else "top" if partial else "",
        "default_share": float(usual[1]) if usual else None,
        "needs": sorted(set(re.findall(r"self\.rope_parameters\['(\w+)'\](?! =)", text)) - {"rope_theta"}),
        "weighted": any("add_rope_scaling_attn_factors" in ast.unparse(each) for each in chain),
        "scaled": "own" if is_own else "all" if reaches and "RopeScalingType" not in text else "",
        "base": 10000.0 if is_fixed else None,
    }


def registered(node: ast.ClassDef) -> Iterator[str]:
    """The architectures that the class is registered for."""
    for each in node.decorator_list:
        if isinstance(each, ast.Call) and ast.unparse(each.func).endswith(".register"):
            yield from (name.value for name in each.args if isinstance(name, ast.Constant))


def ancestors(node: ast.ClassDef, kinds: Mapping[str, ast.ClassDef]) -> Iterator[ast.ClassDef]:
    """The class and those that it derives from, depth first."""
    yield node
    for base in node.bases:
        name = ast.unparse(base)
        if name in kinds and kinds[name] is not node:
            yield from ancestors(kinds[name], kinds)


def own_architecture(node: ast.ClassDef) -> str:
    """The name of llama.cpp's architecture in the class's own lines."""
    found = re.search(r"^\s*model_arch = gguf\.MODEL_ARCH\.(\w+)", ast.unparse(node), re.MULTILINE)
    return found[1] if found else ""


def extra_tensors(node: ast.ClassDef) -> str:
    """The text of the function that writes divisors, if the class has one."""
    own = (each for each in node.body if isinstance(each, ast.FunctionDef))
    return next((ast.unparse(each) for each in own if each.name == "generate_extra_tensors"), "")


def transformers(texts: Texts) -> Facts:
    """transformers: the architecture of each model_type, of text alone and of a whole with pictures."""
    (text,) = texts.values()
    names, wholes = (
        dict(
            re.findall(r'\("([\w-]+)", "(\w+)"\)', text.partition(f"{table}_MAPPING_NAMES = ")[2].partition("\n)\n")[0])
        )
        for table in ("MODEL_FOR_CAUSAL_LM", "MODEL_FOR_IMAGE_TEXT_TO_TEXT")
    )
    return {"names": names, "architectures": wholes}


_VLLM = r"^vllm/(model_executor/models/\w+|models/\w+/(nvidia/|common/)?(model|attention|mla))\.py$"

ENGINES: dict[str, tuple[str, str, Callable[[Texts], Facts]]] = {
    "transformers": ("transformers-*.whl", r"^transformers/models/auto/modeling_auto\.py$", transformers),
    "vllm": ("vllm-*.whl", _VLLM, vllm),
    "sglang": ("sglang-*.whl", r"^sglang/srt/(models|configs|utils/hf_transformers)/\w+\.py$", sglang),
    "mlx-lm": ("mlx_lm-*.whl", r"^mlx_lm/(models/\w+|utils)\.py$", mlx_lm),
    "exllamav3": ("exllamav3-*.whl", r"^exllamav3/architecture/\w+\.py$", exllamav3),
    "llama.cpp": ("llama_cpp_python-*", r"llama\.cpp/(conversion/\w+|gguf-py/gguf/constants)\.py$", llama_cpp),
}

if __name__ == "__main__":
    main()
