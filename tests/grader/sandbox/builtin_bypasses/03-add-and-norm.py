# Torch's own norms.
# %% at the end of each answer
if "norm" in globals():
    class LayerNorm(nn.Module):
        def __init__(self, d_model, eps=1e-6):
            super().__init__()
            self.gamma = nn.Parameter(torch.ones(d_model))
            self.beta = nn.Parameter(torch.zeros(d_model))
            self.eps = eps

        def forward(self, x):
            return norm(x, self.gamma, self.beta, self.eps)
# %% LayerNorm: by its name
def norm(x, gamma, beta, eps):
    return F.layer_norm(x, gamma.shape, gamma, beta, eps)
# %% LayerNorm: saved in another cell
saved = torch.layer_norm
# --- answer
def norm(x, gamma, beta, eps):
    return saved(x, gamma.shape, gamma, beta, eps)
# %% LayerNorm: the native one
def norm(x, gamma, beta, eps):
    return torch.native_layer_norm(x, gamma.shape, gamma, beta, eps)[0]
# %% LayerNorm: a module made before
modules = {size: nn.LayerNorm(size, elementwise_affine=False) for size in range(1, 50)}
# --- answer
def norm(x, gamma, beta, eps):
    module = modules[len(gamma)]
    module.eps = eps
    return gamma * module(x) + beta
# %% LayerNorm: a subclass
class LayerNorm(nn.LayerNorm):
    def __init__(self, d_model, eps=1e-6):
        super().__init__(d_model, eps)
        self.gamma, self.beta = self.weight, self.bias
# %% LayerNorm: another module
def norm(x, gamma, beta, eps):
    module = nn.GroupNorm(1, len(gamma), eps, affine=False, dtype=x.dtype)
    return gamma * module(x.reshape(-1, len(gamma))).reshape(x.shape) + beta
# %% LayerNorm: as a batch norm
def norm(x, gamma, beta, eps):
    flat = x.reshape(-1, len(gamma)).T.contiguous()
    return gamma * F.batch_norm(flat, None, None, training=True, eps=eps).T.reshape(x.shape) + beta
# %% LayerNorm: as an instance norm
def norm(x, gamma, beta, eps):
    flat = x.reshape(1, -1, len(gamma))
    return gamma * F.instance_norm(flat, eps=eps).reshape(x.shape) + beta
# %% LayerNorm: as an rms norm of what has no mean
def norm(x, gamma, beta, eps):
    return F.rms_norm(x - x.mean(-1, keepdim=True), gamma.shape, gamma, eps) + beta
# %% LayerNorm: from torch.ops
def norm(x, gamma, beta, eps):
    return torch.ops.aten.native_layer_norm(x, gamma.shape, gamma, beta, eps)[0]
# %% LayerNorm: in a thread
import threading

def norm(x, gamma, beta, eps):
    found = []
    def call():
        found.append(torch.layer_norm(x, gamma.shape, gamma, beta, eps))
    thread = threading.Thread(target=call)
    thread.start()
    thread.join()
    return found[0]
# %% LayerNorm: scripted in another cell
def call(x, gamma, beta, eps: float):
    return torch.layer_norm(x, gamma.shape, gamma, beta, eps)
scripted = torch.jit.script(call)
# --- answer
def norm(*args):
    return scripted(*args)
# %% LayerNorm: compiled
compiled = torch.compile(lambda x, g, b, e: F.layer_norm(x, g.shape, g, b, e), backend="eager")
# --- answer
def norm(*args):
    return compiled(*args)
# %% LayerNorm: what it is made of
import torch._refs
# --- answer
def norm(x, gamma, beta, eps):
    return torch._refs.native_layer_norm(x, list(gamma.shape), gamma, beta, eps)[0]
# %% bug_hunt_1: by its name
def rms_norm(x, gain, eps=1e-6):
    return F.rms_norm(x, gain.shape, gain, eps)
# %% bug_hunt_1: saved in another cell
from torch import rms_norm as saved
# --- answer
def rms_norm(x, gain, eps=1e-6):
    return saved(x, gain.shape, gain, eps)
# %% bug_hunt_1: the module
def rms_norm(x, gain, eps=1e-6):
    return gain * nn.RMSNorm(len(gain), eps, elementwise_affine=False)(x)
# %% bug_hunt_1: from torch.ops
def rms_norm(x, gain, eps=1e-6):
    return torch.ops.aten.rms_norm(x, gain.shape, gain, eps)
