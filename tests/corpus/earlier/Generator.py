# %% wrong: log_softmax_without_dim | F.log_softmax is called without dim; for (N, T, V) PyTorch then guesses axis 0, so it normalizes over the batch and not over the words.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits)
        return log_probs
# %% wrong: own_only_for_three_axes | forward unpacks x.shape into exactly three sizes, so vectors (N, D) of the last position alone, or any other number of axes, stop with an error.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        batch, length, width = x.shape
        rows = x.reshape(batch * length, width)
        scores = F.log_softmax(self.proj(rows), dim=1)
        return scores.reshape(batch, length, -1)
# %% wrong: own_max_subtracted_once | in the hand-written log-softmax the maximum is subtracted from the logits but the logsumexp is taken of the unshifted logits, so every log-probability is too small by the row's maximum and the probabilities do not sum to 1
def stable_log_softmax(scores):
    top = scores.max(dim=-1, keepdim=True).values
    shifted = scores - top
    return shifted - torch.logsumexp(scores, dim=-1, keepdim=True)
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        return stable_log_softmax(self.proj(x))
# %% wrong: own_einsum_drops_bias | forward multiplies by proj.weight with einsum and never adds proj.bias, so the bias has no effect on the log-probabilities and gets no gradient
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        scores = torch.einsum("...d,vd->...v", x, self.proj.weight)
        return nn.LogSoftmax(dim=-1)(scores)
# %% wrong: only_last_position | The student reads that lesson 10 gives the generator the last position as an order to pick it here, so logits[:, -1] drops all other positions (and for (N, D) input picks one vocabulary column).
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)
    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = logits[:, -1].log_softmax(dim=-1)
        return log_probs

# %% wrong: last-position-only | as nanoGPT does at inference only the last position is projected: x[:, -1] gives (N, V) for (N, T, D), so the predictions at the other positions are lost (and (N, D) loses its features).
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        x = x[:, -1]
        logits = self.proj(x)
        return F.log_softmax(logits, dim=-1)

# %% wrong: last-place-only-and-name | Two mistakes. Only the vectors of the last position are projected, as in a decoding loop, so (N, T, D) becomes (N, V), while every position needs its prediction; and the layer is called lm_head, not proj.
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.lm_head = nn.Linear(d_model, vocab_size, bias=False)
    def forward(self, x):
        newest = x[:, -1] if x.dim() == 3 else x
        return F.log_softmax(self.lm_head(newest), dim=-1)
