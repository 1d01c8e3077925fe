# %% wrong: log_softmax_over_positions | TRUE CAUSE: log_softmax over dim 1, which is the positions of (N, T, V), not the words; it fits only for (N, V)
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.log_softmax(dim=1)
        return log_probs

# %% wrong: log_after_softmax_no_bias | TRUE CAUSE: two mistakes: the logarithm is taken after the softmax, so probabilities rounded to 0 become minus infinity; and the projection has no bias
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = torch.log(F.softmax(logits, dim=-1))
        return log_probs

# %% wrong: last_position_only | TRUE CAUSE: predicts from the last position alone, (N, V): took what lesson 10 passes in as the generator's own job, where every position (any shape (..., D)) is to be turned into log-probabilities
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        last = x[:, -1]  # the position that predicts the next token
        return F.log_softmax(self.proj(last), dim=-1)

