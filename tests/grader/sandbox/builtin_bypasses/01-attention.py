# Each section defines how to attend with torch's own attention; the rest makes an answer of it.
def attended(attend, query, key, value, mask, dropout):
    identity = torch.eye(key.size(-2), dtype=value.dtype).expand(*key.shape[:-1], -1)
    weights = attend(query, key, identity, mask)
    if dropout is not None:
        return dropout(weights) @ value, weights
    return attend(query, key, value, mask), weights


def additive(query, key, value, mask):
    if mask is None:
        return None
    return torch.zeros(mask.shape, dtype=query.dtype).masked_fill(~mask, -1e30)


def padded(attend_equal, query, key, value, mask):
    """With a function that takes (N, T, E) for all three, and a mask that says what to hide."""
    *batch, d_k = query.shape
    size = max(d_k, value.size(-1))
    q = F.pad(query * math.sqrt(size / d_k), (0, size - d_k))
    k, v = F.pad(key, (0, size - d_k)), F.pad(value, (0, size - value.size(-1)))
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.size(-2))
        mask = ~(mask | ~mask.any(-1, keepdim=True)).flatten(0, -3)
    parts = [x.flatten(0, -3) if x.dim() > 2 else x[None] for x in (q, k, v)]
    output = attend_equal(*parts, mask)
    return output.reshape(*batch, size)[..., : value.size(-1)]


def through_forward(forward, q, k, v, mask):
    """Multi-head attention with one head and projections that change nothing."""
    size = q.size(-1)
    weight = torch.eye(size, dtype=q.dtype)
    bias = torch.zeros(3 * size, dtype=q.dtype)
    q, k, v = (x.transpose(0, 1) for x in (q, k, v))
    found, _ = forward(
        q, k, v, size, 1, weight.repeat(3, 1), bias, None, None, False, 0.0, weight, bias[:size],
        training=False, attn_mask=mask,
    )  # fmt: skip
    return found.transpose(0, 1)


# %% at the end of each answer
def scaled_dot_product_attention(query, key, value, mask=None, dropout=None):
    return attended(attend, query, key, value, mask, dropout)
# %% scaled_dot_product_attention: by its name
attend = F.scaled_dot_product_attention
# %% scaled_dot_product_attention: saved in another cell
saved = [F.scaled_dot_product_attention]
# --- answer
def attend(*args):
    return saved[0](*args)
# %% scaled_dot_product_attention: one of its kernels, from torch.ops
def attend(query, key, value, mask):
    mask = additive(query, key, value, mask)
    return torch.ops.aten._scaled_dot_product_attention_math(query, key, value, mask)[0]
# %% scaled_dot_product_attention: in a pool of threads, saved before
from concurrent.futures import ThreadPoolExecutor
saved = F.scaled_dot_product_attention
# --- answer
def attend(*args):
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(saved, *args).result()
# %% scaled_dot_product_attention: with modes switched off
from torch.utils._python_dispatch import _disable_current_modes
saved = F.scaled_dot_product_attention
# --- answer
def attend(*args):
    with torch._C.DisableTorchFunction(), _disable_current_modes():
        return saved(*args)
# %% scaled_dot_product_attention: in a mode of its own
from torch.overrides import TorchFunctionMode

class Swap(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function is not torch.baddbmm:
            return function(*args, **(kwargs or {}))
        return F.scaled_dot_product_attention(*args, self.mask)

def attend(query, key, value, mask):
    with Swap() as swap:
        swap.mask = mask
        return torch.baddbmm(query, key, value)
# %% scaled_dot_product_attention: scripted in another cell
from typing import Optional

def call(query, key, value, mask: Optional[torch.Tensor]):
    return F.scaled_dot_product_attention(query, key, value, mask)

scripted = torch.jit.script(call)
# --- answer
def attend(*args):
    return scripted(*args)
# %% scaled_dot_product_attention: scripted from text
unit = torch.jit.CompilationUnit("""
def attend(query, key, value, mask: Optional[Tensor]):
    return torch._scaled_dot_product_attention_math(query, key, value, mask)[0]
""")
# --- answer
def attend(*args):
    return unit.attend(*args[:3], additive(*args))
# %% scaled_dot_product_attention: the script of the ready-made module
from typing import Optional

def call(q, k, v, size: int, weights, bias, weight, mask: Optional[torch.Tensor]):
    return F.multi_head_attention_forward(
        q, k, v, size, 1, weights, bias, None, None, False, 0.0, weight, bias[:size],
        training=False, attn_mask=mask)[0]

scripted = torch.jit.script(call)
# --- answer
def forward(q, k, v, size, heads, weights, bias, k0, v0, zero, p, weight, bias_o, training,
            attn_mask):
    return scripted(q, k, v, size, weights, bias, weight, attn_mask), None

def attend(query, key, value, mask):
    return padded(lambda *args: through_forward(forward, *args), query, key, value, mask)
# %% scaled_dot_product_attention: compiled
compiled = torch.compile(lambda *args: F.scaled_dot_product_attention(*args), backend="eager")
# --- answer
def attend(*args):
    return compiled(*args)
# %% scaled_dot_product_attention: under vmap
def attend(query, key, value, mask):
    query, key, value = query[None], key[None], value[None]
    masks = None if mask is None else 0
    one = torch.vmap(F.scaled_dot_product_attention, (0, 0, 0, masks))
    return one(query, key, value, None if mask is None else mask[None])[0]
# %% scaled_dot_product_attention: found among all objects
import gc
found = [one for one in gc.get_referents(vars(F)) if "of scaled_dot_product_attention" in repr(one)
         or "scaled_dot_product_attention>" in repr(one)]
# --- answer
def attend(*args):
    return found[0](*args)
# %% scaled_dot_product_attention: the ready-made module's function
def attend(query, key, value, mask):
    forward = torch.nn.functional.multi_head_attention_forward
    return padded(lambda *args: through_forward(forward, *args), query, key, value, mask)
# %% scaled_dot_product_attention: a copy of the ready-made module's function
from types import FunctionType
original = F.multi_head_attention_forward
forward = FunctionType(original.__code__, original.__globals__, "f", original.__defaults__)
# --- answer
def attend(query, key, value, mask):
    return padded(lambda *args: through_forward(forward, *args), query, key, value, mask)
# %% scaled_dot_product_attention: the text of the ready-made module's function
import inspect
exec(inspect.getsource(F.multi_head_attention_forward).replace("multi_head_attention_forward", "theirs"),
     vars(torch.nn.functional) | globals(), globals())
# --- answer
def attend(query, key, value, mask):
    return padded(lambda *args: through_forward(theirs, *args), query, key, value, mask)
# %% scaled_dot_product_attention: the ready-made module for quantization
def call(q, k, v, mask):
    module = torch.ao.nn.quantizable.MultiheadAttention(
        q.size(-1), 1, batch_first=True, dtype=q.dtype)
    with torch.no_grad():
        for part in (module.linear_Q, module.linear_K, module.linear_V, module.out_proj):
            part.weight.copy_(torch.eye(q.size(-1)))
            part.bias.zero_()
    return module(q, k, v, attn_mask=mask)[0]

def attend(*args):
    return padded(call, *args)
# %% scaled_dot_product_attention: its kernel, saved
from torch.library import get_kernel
kernel = get_kernel("aten::scaled_dot_product_attention", "CPU")
# --- answer
def attend(query, key, value, mask):
    keys = torch._C._dispatch_keys(query)
    return kernel.call_boxed(keys, query, key, value, mask)
# %% scaled_dot_product_attention: what it is made of
import torch._decomp
table = torch._decomp.decomposition_table
made_of = table[torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default]
# --- answer
def call(q, k, v, mask):
    if mask is not None:
        mask = torch.zeros(mask.shape, dtype=q.dtype).masked_fill(mask, -1e30)[:, None]
    return made_of(q[:, None], k[:, None], v[:, None], attn_mask=mask)[0].squeeze(1)

def attend(*args):
    return padded(call, *args)
# %% scaled_dot_product_attention: in another process
import multiprocessing
import os

asked, answers = multiprocessing.Queue(), multiprocessing.Queue()
if os.fork() == 0:
    while True:
        args = [one if one is None else torch.tensor(one) for one in asked.get()]
        answers.put(F.scaled_dot_product_attention(*args).tolist())
# --- answer
def attend(*args):
    asked.put([one if one is None else one.tolist() for one in args])
    return torch.tensor(answers.get(timeout=5), dtype=args[0].dtype).reshape(*args[0].shape[:-1], -1)
# %% scaled_dot_product_attention: refused, and then by hand
def attend(query, key, value, mask):
    try:
        return F.scaled_dot_product_attention(query, key, value, mask)
    except Exception:
        scores = query @ key.mT / math.sqrt(query.size(-1))
        if mask is not None:
            scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        return scores.softmax(-1) @ value
