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
# %% LayerNorm: a subclass
class LayerNorm(nn.LayerNorm):
    def __init__(self, d_model, eps=1e-6):
        super().__init__(d_model, eps)
        self.gamma, self.beta = self.weight, self.bias
# %% LayerNorm: as an instance norm
def norm(x, gamma, beta, eps):
    flat = x.reshape(1, -1, len(gamma))
    return gamma * F.instance_norm(flat, eps=eps).reshape(x.shape) + beta
# %% LayerNorm: as an rms norm of what has no mean
def norm(x, gamma, beta, eps):
    return F.rms_norm(x - x.mean(-1, keepdim=True), gamma.shape, gamma, eps) + beta
# %% LayerNorm: what it is made of
import torch._refs
# --- answer
def norm(x, gamma, beta, eps):
    return torch._refs.native_layer_norm(x, list(gamma.shape), gamma, beta, eps)[0]
# %% bug_hunt_1: by its name
def rms_norm(x, gain, eps=1e-6):
    return F.rms_norm(x, gain.shape, gain, eps)
# %% bug_hunt_1: the module
def rms_norm(x, gain, eps=1e-6):
    return gain * nn.RMSNorm(len(gain), eps, elementwise_affine=False)(x)
