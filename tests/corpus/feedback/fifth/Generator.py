# %% wrong: softmax_over_axis_one | TRUE CAUSE: the log-softmax goes along axis 1, which is the vocabulary only for (N, D); with (N, T, D) it runs over the positions
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs


# %% wrong: logits_scaled_like_attention | TRUE CAUSE: the logits are divided by the root of d_model before the log-softmax, as the scores of attention are; here nothing is scaled
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.d_model = d_model
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x) / math.sqrt(self.d_model)
        return logits.log_softmax(dim=-1)


# %% wrong: only_the_last_position | TRUE CAUSE: only the last position is projected, as if nothing but the newest token were predicted; axis 1 is lost (and for (N, D) it picks a feature)
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        last = x[:, -1]
        logits = self.proj(last)
        return torch.log_softmax(logits, dim=-1)


# %% wrong: logarithm_of_clamped_probabilities | TRUE CAUSE: the logarithm is taken after the softmax, with a clamp against the minus infinity: every log-probability below about -18 is cut off, and its gradient is 0
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)  # blank: projection

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits.softmax(dim=-1).clamp(min=1e-8).log()
        return log_probs
