# %% right: eleventh_own_word_by_word
def merge_heads(x):
    words = []
    for t in range(x.size(2)):
        words.append(x[:, :, t, :].flatten(start_dim=1))
    return torch.stack(words, dim=1)
# %% right: twelfth_own_word_by_word
def merge_heads(x):
    n, h, t, d = x.shape
    words = [x[:, :, i, :].reshape(n, h * d) for i in range(t)]
    return torch.stack(words, dim=1)
