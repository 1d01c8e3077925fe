# %% wrong: own_rms_kernel | uses the kernel of RMSNorm (F.rms_norm), which does not subtract the mean, in place of F.layer_norm
class FusedLayerNorm(nn.Module):
    def __init__(self, norm):
        super().__init__()
        self.gamma = norm.gamma
        self.beta = norm.beta
        self.eps = norm.eps
    def forward(self, x):
        d = (x.size(-1),)
        return F.rms_norm(x, d, weight=self.gamma, eps=self.eps) + self.beta
