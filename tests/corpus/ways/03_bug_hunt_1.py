# %% right: own_position_by_position
def rms_norm(x, gain, eps=1e-6):
    def one(v):
        return v / torch.sqrt(torch.dot(v, v) / len(v) + eps)
    rows = [one(v) for v in x.flatten(0, 1)]
    return torch.stack(rows).view(x.shape) * gain
# %% right: twelfth_own_sum_over_unbound_features
def rms_norm(x, gain, eps=1e-6):
    columns = x.unbind(dim=-1)
    rms = (sum(c * c for c in columns) / len(columns) + eps).sqrt()
    return torch.stack([g * c / rms for g, c in zip(gain, columns)], dim=-1)
# %% right: eleventh_own_sentence_by_sentence
def rms_norm(x, gain, eps=1e-6):
    def one(words):
        rms = words.pow(2).mean(1).add(eps).sqrt()
        return words / rms[:, None] * gain
    return torch.stack([one(words) for words in x])
# %% right: tenth_own_helper_function
def rms_norm(x, gain, eps=1e-6):
    def root_mean_square(features):
        return ((features * features).sum(-1, keepdim=True) / features.size(-1) + eps) ** 0.5
    return x / root_mean_square(x) * gain
# %% right: by_sum_over_size
def rms_norm(x, gain, eps=1e-6):
    squares = torch.einsum("...d,...d->...", x, x).unsqueeze(-1)
    return gain * (x / (squares / x.size(-1) + eps) ** 0.5)
# %% right: own_einsum_sum_of_squares
def rms_norm(x, gain, eps=1e-6):
    n_features = x.shape[-1]
    sum_sq = torch.einsum("...d,...d->...", x, x)
    inverse = (sum_sq / n_features + eps).pow(-0.5)
    return x * inverse[..., None] * gain
