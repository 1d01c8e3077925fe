# %% wrong: counts_the_words_of_the_batch | TRUE CAUSE: The count is real.sum() without an axis, the number of words in the whole batch, so each sentence's total is divided by the words of all sentences.
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    words = x.transpose(0, 1)  # (N, T, D)
    kept = words.masked_fill(~real.unsqueeze(-1), 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = real.sum()
    return total / count
# %% wrong: counts_the_padding | TRUE CAUSE: The mask is inverted in the count as well, so each total is divided by the number of padded places instead of the number of words (infinite for a sentence without padding).
def sentence_means(x, real):
    """The mean of each sentence's vectors, padding left out.

    x is (T, N, D), time first; real is (N, T), True where there is a word. Returns (N, D).
    """
    hidden = ~real.unsqueeze(-1)  # (N, T, 1)
    words = x.permute(1, 0, 2)  # (N, T, D)
    kept = words.masked_fill(hidden, 0.0)  # (N, T, D), padding is 0
    total = kept.sum(dim=1)  # (N, D)
    count = hidden.sum(dim=1)  # (N, 1)
    return total / count
# %% wrong: own_padding_zeroed_in_place | TRUE CAUSE: The padding is set to 0 by assignment into a transposed view of x, which shares its memory, so the means are right but the caller's x has lost what stood at the padded places (and an x that is a leaf needing gradients is refused).
def sentence_means(x, real):
    by_sentence = x.transpose(0, 1)
    by_sentence[~real] = 0
    lengths = real.sum(dim=1, keepdim=True)
    return by_sentence.sum(dim=1) / lengths
# %% wrong: own_weights_normalized_over_sentences | TRUE CAUSE: The weights of the average are divided by their sum over axis 0 of real, the sentences, instead of axis 1, the words, so a word's weight depends on how many sentences have a word at that place.
def sentence_means(x, real):
    share = real.to(x.dtype)
    share = share / share.sum(dim=0, keepdim=True).clamp(min=1)
    return torch.einsum("tnd,nt->nd", x, share)
