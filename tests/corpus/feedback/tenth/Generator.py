# %% wrong: softmax_over_dim_one | TRUE CAUSE: log_softmax runs over dim=1 instead of the last axis, so for (N, T, D) input it normalizes over positions and not over the vocabulary (only 2-D input comes out right).
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=1)
        return log_probs

# %% wrong: only_last_position | TRUE CAUSE: The student reads that lesson 10 gives the generator the last position as an order to pick it here, so logits[:, -1] drops all other positions (and for (N, D) input picks one vocabulary column).
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits[:, -1].log_softmax(dim=-1)
        return log_probs

# %% wrong: own_max_not_added_back | TRUE CAUSE: The logits are shifted by their maximum before exp and sum, but the log of that sum is subtracted from the unshifted logits, so every log-probability is too large by the maximal logit and the probabilities do not sum to 1.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, vectors):
        scores = self.proj(vectors)
        # subtract the largest score first so that exp cannot overflow
        largest = scores.max(dim=-1, keepdim=True).values
        normalizer = torch.exp(scores - largest).sum(dim=-1, keepdim=True).log()
        return scores - normalizer

# %% wrong: own_proj_is_a_sequential | TRUE CAUSE: proj is an nn.Sequential of Linear and LogSoftmax instead of the nn.Linear itself, so the outputs are right but generator.proj.weight and the state-dict names proj.weight and proj.bias that the model needs do not exist.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Sequential(
            nn.Linear(d_model, vocab_size),
            nn.LogSoftmax(dim=-1),
        )

    def forward(self, x):
        return self.proj(x)
