"""Reads the facts of engines' model classes from released packages, and writes ``posenc_core/engines/facts.json``.

    python tools/read_engine_facts.py WHEELS [FILE]

WHEELS is a folder with the packages of transformers, vllm, sglang, mlx-lm and exllamav3 as wheels and of
llama-cpp-python as an archive of sources (``pip download --no-deps --no-binary llama-cpp-python ...``). Nothing of them
is imported or run: their Python is parsed. A fact is null where the source does not say it in a form understood here.

Per class of an engine:

- ``layout``: "half_split" or "interleaved" where each call that makes a rotation says the same;
- ``latent``: the class has DeepSeek's form of YaRN, which also scales the softmax;
- ``labels``: kinds of layers have parameters of their own, read by name;
- ``share``: where partial_rotary_factor is read, "parameters", "top", "" for nowhere, "class" for another key;
- ``spelling`` (mlx-lm): "old", "both", "new" or null for which of rope_scaling and rope_parameters is read;
- ``scaled`` (mlx-lm): the scalings of the class: "all", "longrope", or "" for none;
- ``own`` (mlx-lm): false for the facts of a module that another one imports;
- ``base``: rope_theta of a file without the key, null where the engine needs it;
- ``default_share``: partial_rotary_factor of a file without the key;
- ``factors``, ``lists`` (llama.cpp): the converter writes divisors for the rule of Llama 3, and LongRoPE's lists.
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


def stem(path: str) -> str:
    """The name of a module: that of its file, of a package that of its folder."""
    parts = Path(path).with_suffix("").parts
    return parts[-1] if parts[-1] not in ("model", "__init__") else parts[-2]


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
    imports = r"^from (?:\.|[\w.]+\.models\.)(\w+) import|^from \. import (\w+)"
    imported = [one or other for one, other in re.findall(imports, texts.get(name, ""), re.MULTILINE)]
    found = (inherited(each, facts, texts, depth + 1) for each in imported if each != name)
    return next((each for each in found if each is not None), None)


def by_module(texts: Texts, one: Callable[[ast.AST, str], Facts | None]) -> dict[str, Facts]:
    """The facts of each module by its name, with those inherited from others."""
    named = {stem(path): text for path, text in texts.items()}
    own = {name: one(ast.parse(text), text) for name, text in named.items()}
    found = {name: inherited(name, own, named) for name in named}
    return {name: each for name, each in found.items() if each is not None}


def torch_engine(tree: ast.AST, text: str) -> Facts | None:
    """A module of vLLM or SGLang, which calls ``get_rope``."""
    made = calls(tree, "get_rope", "get_rope_wrapper")
    if not made:
        return None
    main = [call for call in made if "indexer" not in ast.unparse(call)]
    main = [call for call in main if "qk_rope_head_dim" in ast.unparse(call)] or main
    if re.search(r"config\.rotary_(pct|dim|emb_fraction)|rotary_percent", text):
        share = "class"
    elif '(config, "partial_rotary_factor"' in text or "config.partial_rotary_factor" in text:
        share = "top"
    else:
        share = "parameters" if "partial_rotary_factor" in text else ""
    if '.get("partial_rotary_factor")' in text or '.get("partial_rotary_factor",' in text:
        share = "parameters"
    own = re.search(
        r"\[(self\.|config\.)*(layer_type|attention_type)|sliding_attention|local_base|swa_rope_theta", text
    )
    return {
        "layout": llama_layout(tree, main),
        "latent": "deepseek_yarn" in text,
        "labels": own is not None,
        "share": share,
    }


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
    listed = re.findall(r'"(\w+)":\s*\(\s*"([\w.]+)"', registry)
    return {"classes": by_module(texts, torch_engine), "architectures": {a: m.rpartition(".")[2] for a, m in listed}}


def sglang(texts: Texts) -> Facts:
    """SGLang: each module names its classes in ``EntryClass``."""
    architectures = {}
    for path, text in texts.items():
        entry = re.search(r"^EntryClass\s*=\s*(\[[^\]]*\]|\w+)", text, re.MULTILINE)
        architectures |= {name: stem(path) for name in re.findall(r"\w+", entry[1] if entry else "")}
    return {"classes": by_module(texts, torch_engine), "architectures": architectures}


def mlx_lm(texts: Texts) -> Facts:
    """mlx-lm: a module for each model_type, and a table of other names."""
    utilities = next(text for path, text in texts.items() if path.endswith("mlx_lm/utils.py"))
    table = utilities.partition("MODEL_REMAPPING = {")[2].partition("}\n")[0]
    models = {path: text for path, text in texts.items() if "/models/" in path}
    classes = by_module(models, mlx_module)
    for path, text in models.items():
        found = classes.get(stem(path))
        if found is not None and mlx_module(ast.parse(text), text) is None:  # the facts of a module that it imports
            keys = None if "rope_parameters" in text else found["spelling"]
            classes[stem(path)] = {**found, "own": False, "spelling": keys}
    return {"classes": classes, "names": dict(re.findall(r'"([\w-]+)": "(\w+)"', table))}


def mlx_module(tree: ast.AST, text: str) -> Facts | None:
    """A module of mlx-lm; its parameters are the fields of ``ModelArgs``."""
    made = calls(tree, "initialize_rope", "RoPE", "SuScaledRoPE")
    if not made or "class ModelArgs" not in text:
        return None
    fields = {
        ast.unparse(node.target): node.value
        for kind in ast.walk(tree)
        if isinstance(kind, ast.ClassDef) and kind.name.endswith(("ModelArgs", "TextArgs", "TextConfig"))
        for node in kind.body
        if isinstance(node, ast.AnnAssign)
    }
    base = fields.get("rope_theta")
    bases = [argument(call, "base", -1) for call in made if ast.unparse(call.func).endswith("RoPE")]
    fixed = 10000.0 if bases and all(each is None for each in bases) else None  # nn.RoPE's own
    known = "rope_theta" in fields or fixed is not None
    spelling = "old" if "rope_parameters" not in text and known else None
    if "self.rope_scaling = self.rope_parameters" in text:
        spelling = "both"
    elif re.search(r'args\.rope_parameters\["rope_theta"\]', text):
        spelling = "new"
    turned = {ast.unparse(call.func).rpartition(".")[2] for call in made}
    places = {"initialize_rope": 2, "RoPE": 1, "SuScaledRoPE": 99}
    flags = (
        flag(tree, argument(call, "traditional", places[ast.unparse(call.func).rpartition(".")[2]]), False)
        for call in made
    )
    return {
        "layout": known_layout({None: None, True: False, False: True}.get(each) for each in flags),
        "spelling": spelling,
        "scaled": "all" if "initialize_rope" in turned else "longrope" if "SuScaledRoPE" in turned else "",
        "base": float(base.value) if isinstance(base, ast.Constant) and base.value is not None else fixed,
        "latent": "mscale_all_dim" in text or "apply_yarn_mscale" in text,
        "labels": any(word in text for word in ("rope_local_base_freq", "swa_rope_theta", "is_sliding", "is_swa")),
        "share": "top" if "partial_rotary_factor" in fields else "class" if re.search("rotary_(dim|pct)", text) else "",
        "default_share": flag(tree, fields.get("partial_rotary_factor"), 1.0),
    }


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
    }


def llama_cpp(texts: Texts) -> Facts:
    """llama.cpp: the converter's class for each architecture of a config.json, and the name of its own."""
    kinds: dict[str, ast.ClassDef] = {}
    for text in texts.values():
        kinds |= {node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef)}
    found = {}
    for node in kinds.values():
        for name in registered(node):
            chain = list(ancestors(node, kinds))
            arch = next((each for each in map(own_architecture, chain) if each), "")
            extra = next((each for each in map(extra_tensors, chain) if each), "")
            if arch and arch != "MMPROJ":
                found[name] = {"arch": arch, "factors": "llama3" in extra, "lists": "long_factor" in extra}
    constants = next(text for path, text in texts.items() if path.endswith("gguf/constants.py"))
    names = dict(re.findall(r'MODEL_ARCH\.(\w+):\s*"([\w-]+)"', constants))
    return {"classes": {name: {**each, "arch": names.get(each["arch"], "")} for name, each in found.items()}}


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
    """transformers: the architecture of each model_type, for files that do not name theirs."""
    (text,) = texts.values()
    table = text.partition("MODEL_FOR_CAUSAL_LM_MAPPING_NAMES = ")[2].partition("\n)\n")[0]
    return {"names": dict(re.findall(r'\("([\w-]+)", "(\w+)"\)', table))}


ENGINES: dict[str, tuple[str, str, Callable[[Texts], Facts]]] = {
    "transformers": ("transformers-*.whl", r"^transformers/models/auto/modeling_auto\.py$", transformers),
    "vllm": ("vllm-*.whl", r"^vllm/(model_executor/models/\w+|models/\w+/model)\.py$", vllm),
    "sglang": ("sglang-*.whl", r"^sglang/srt/models/\w+\.py$", sglang),
    "mlx-lm": ("mlx_lm-*.whl", r"^mlx_lm/(models/\w+|utils)\.py$", mlx_lm),
    "exllamav3": ("exllamav3-*.whl", r"^exllamav3/architecture/\w+\.py$", exllamav3),
    "llama.cpp": ("llama_cpp_python-*", r"llama\.cpp/(conversion/\w+|gguf-py/gguf/constants)\.py$", llama_cpp),
}

if __name__ == "__main__":
    main()
