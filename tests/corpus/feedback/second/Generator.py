# %% wrong: dim_one | TRUE CAUSE: log_softmax is taken over axis 1, which for (N, T, V) is the positions and not the vocabulary.
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs

# %% wrong: log_of_softmax | TRUE CAUSE: The logarithm is taken after the softmax in a second step, so probabilities rounded to 0 become -inf.
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(in_features=d_model, out_features=vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = torch.log(nn.Softmax(dim=-1)(logits))
        return log_probs

# %% wrong: logsumexp_no_keepdim | TRUE CAUSE: logsumexp is taken without keepdim=True, so the normalizer does not line up with the vocabulary axis (crash for most shapes).
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)
        return logits - torch.logsumexp(logits, dim=-1)

# %% wrong: scaled_logits | TRUE CAUSE: The logits are divided by the root of d_model, as attention scores are, before the log-softmax.
class Generator(nn.Module):
    """Linear + log-softmax."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
        self.scale = 1.0 / math.sqrt(d_model)

    def forward(self, x):
        scores = self.scale * self.proj(x)
        return scores - scores.logsumexp(dim=-1, keepdim=True)
