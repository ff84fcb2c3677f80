"""Scripts to copy that save numbers of libraries as files for the check."""

SNIPPETS = {
    "PyTorch, your own code": """\
import numpy as np
# a table of positions by columns, or the frequencies; for the first rows of a long one: table[:512]
np.save("table.npy", table.detach().float().cpu().numpy())
""",
    "transformers": """\
import numpy as np
rotary = model.get_decoder().rotary_emb  # of a model that from_pretrained loaded
np.save("inv_freq.npy", rotary.inv_freq.float().cpu().numpy())
""",
    "vLLM, SGLang": """\
import numpy as np
def save_cache(model):
    rotary = next(each for each in model.modules() if hasattr(each, "cos_sin_cache"))
    np.save("cos_sin_cache.npy", rotary.cos_sin_cache[:4096].float().cpu().numpy())
llm.apply_model(save_cache)  # vLLM; elsewhere save_cache(model)
""",
    "MLX": """\
import mlx.core as mx
import numpy as np
rope = model.layers[0].self_attn.rope
before = mx.random.normal((1, 1, 64, getattr(rope, "dims", None) or rope.dim))
after = rope(before)
np.savez("rotated.npz", before=np.array(before)[0, 0], after=np.array(after)[0, 0])
""",
    "llama.cpp (GGUF)": """\
import numpy as np
from gguf import GGUFReader
reader = GGUFReader("model.gguf")
found = {name.partition(".rope.")[2]: field.contents() for name, field in reader.fields.items() if ".rope." in name}
if found.get("scaling.type", "linear") not in ("none", "linear"):
    raise SystemExit("llama.cpp scales these when it runs: posenc engines model.gguf")
factor = found.get("scaling.factor", 0) if found.get("scaling.type", "linear") == "linear" else 0
divisors = next((each.data for each in reader.tensors if each.name == "rope_freqs.weight"), 1.0)
base, width = found.get("freq_base", 10000.0), found["dimension_count"]
np.save("inv_freq.npy", base ** (-np.arange(0, width, 2) / width) / divisors / (factor or 1))
""",
    "Text to paste, NumPy": """\
import sys
import numpy as np
np.set_printoptions(threshold=sys.maxsize, precision=8)
print(repr(table))
""",
    "Text to paste, PyTorch": """\
import torch
torch.set_printoptions(threshold=float("inf"), precision=8)
print(table)
""",
}
"""The scripts by the titles of their menu entries."""
