# Torch's own causal mask.
# %% at the end of each answer
def causal_mask(size, device=None):
    return make(size, device).view(1, 1, size, size)
# %% causal_mask: by its name
def make(size, device):
    return ~nn.Transformer.generate_square_subsequent_mask(size, device=device).isinf()
# %% causal_mask: the function behind it
from torch.nn.modules.transformer import _generate_square_subsequent_mask as behind
# --- answer
def make(size, device):
    return behind(size, device=device) == 0
# %% causal_mask: as a bias of attention
from torch.nn.attention.bias import causal_upper_left
# --- answer
def make(size, device):
    return causal_upper_left(size, size)._materialize(device)
# %% causal_mask: a copy of the function
from types import FunctionType
original = nn.Transformer.generate_square_subsequent_mask
import torch.nn.modules.transformer as module
behind = module._generate_square_subsequent_mask
copied = FunctionType(behind.__code__, behind.__globals__, "f", behind.__defaults__)
# --- answer
def make(size, device):
    return copied(size, device=device) == 0
