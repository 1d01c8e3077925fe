# %% wrong: log_softmax_over_positions | TRUE CAUSE: the log-softmax runs over axis 1, the positions, instead of the last axis, the words (for (N, D) input the two happen to be the same)
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs


# %% wrong: projection_without_bias | TRUE CAUSE: the projection has no bias, as if the tied embedding matrix ruled one out; the text asks for an nn.Linear with its bias
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        # the weight may be tied to the embedding, and an embedding has no bias
        self.proj = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, x):
        return torch.log_softmax(self.proj(x), dim=-1)


# %% wrong: log_of_softmax_plus_eps | TRUE CAUSE: the logarithm is taken after the softmax, with a small number added against log(0), so very unlikely words are cut off at about -20.7 instead of keeping their log-probability
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)
        probs = logits.softmax(dim=-1)
        log_probs = (probs + 1e-9).log()
        return log_probs
