# %% wrong: bias_left_out_of_projection | TRUE CAUSE: in __init__ the projection is made with bias=False although the text asks for an nn.Linear with its bias, so proj.bias is None, V parameters are missing and every logit lacks its offset
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size, bias=False)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits, dim=-1)
        return log_probs
# %% wrong: flattens_first_two_axes | TRUE CAUSE: forward always merges axes 0 and 1 before the log-softmax, believing that the input is always (N, T, D); for the (N, D) input of lesson 10 this merges batch and vocabulary, so that the whole batch is normalized as one distribution
class Generator(nn.Module):
    """Turn the decoder's vectors into log-probabilities of the next token (section 3.4)."""

    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, x):
        logits = self.proj(x)  # (N, T, V)
        log_probs = F.log_softmax(logits.flatten(0, 1), dim=-1).view_as(logits)
        return log_probs
# %% wrong: own_normalizer_without_gradient | TRUE CAUSE: the logsumexp that is subtracted is computed under torch.no_grad, as if it were only a constant, so the values are right but the gradient lacks the softmax term (each logit's gradient is that of a plain logit)
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    @staticmethod
    @torch.no_grad()
    def constant(scores):
        # the one number that makes the probabilities sum to 1
        return torch.logsumexp(scores, dim=-1, keepdim=True)

    def forward(self, x):
        scores = self.proj(x)
        return scores - self.constant(scores)
# %% wrong: own_max_not_added_back | TRUE CAUSE: the log of the sum of exponentials is taken of the logits shifted by their maximum, but is then subtracted from the unshifted logits, so every log-probability is too large by the maximum and the probabilities do not sum to 1
class Generator(nn.Module):
    def __init__(self, d_model, vocab_size):
        super().__init__()
        self.proj = nn.Linear(d_model, vocab_size)

    def forward(self, vecs):
        z = self.proj(vecs)
        biggest = z.max(dim=-1, keepdim=True).values
        e = torch.exp(z - biggest)  # never overflows
        log_of_sum = torch.log(e.sum(dim=-1, keepdim=True))
        return z - log_of_sum
