# %% right: eleventh_own_shift_by_hand
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=True)
        self.d_model, self.vocab_size = d_model, vocab_size
    @staticmethod
    def _normalize(scores):
        shifted = scores - scores.max(dim=-1, keepdim=True).values
        return shifted - shifted.exp().sum(dim=-1, keepdim=True).log()
    def forward(self, x):
        return self._normalize(self.proj(x))
# %% right: own_einsum_and_shift_by_max
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(in_features=d_model, out_features=vocab_size, bias=True)
    def scores(self, x):
        return torch.einsum("...d,vd->...v", x, self.proj.weight) + self.proj.bias
    def forward(self, x):
        s = self.scores(x)
        s = s - s.amax(dim=-1, keepdim=True)
        return s - s.exp().sum(dim=-1, keepdim=True).log()
# %% right: field_annotated
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        return F.log_softmax(self.proj(x), dim=-1)
# %% right: field_without_bias
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        return torch.log_softmax(self.proj(x), -1)
