# %% right: module_for_the_softmax
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(in_features=d_model, out_features=vocab_size, bias=True)
        self.normalize = nn.LogSoftmax(dim=-1)

    def forward(self, x):
        return self.normalize(self.proj(x))

# %% right: logsumexp
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)
        log_probs = logits - torch.logsumexp(logits, dim=-1, keepdim=True)
        return log_probs


# %% right: own_minus_logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, vectors):
        z = self.proj(vectors)
        return z - z.logsumexp(-1, keepdim=True)
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


# %% right: tenth_own_minus_logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=True)

    def forward(self, vectors):
        scores = self.proj(vectors)
        return scores - torch.logsumexp(scores, dim=-1, keepdim=True)


# %% right: eleventh_own_logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        z = self.proj(x)
        return z - torch.logsumexp(z, dim=-1, keepdim=True)
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


# %% right: twelfth_own_logsumexp
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        scores = self.proj(x)
        return scores - scores.logsumexp(-1, keepdim=True)
# %% right: twelfth_own_einsum_with_bias
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(in_features=d_model, out_features=vocab_size, bias=True)
        self.normalise = nn.LogSoftmax(dim=-1)

    def forward(self, x):
        weight, bias = self.proj.weight, self.proj.bias
        return self.normalise(torch.einsum("...d,vd->...v", x, weight) + bias)
