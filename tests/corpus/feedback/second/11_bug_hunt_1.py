# %% wrong: penalty_left | TRUE CAUSE: Mended halfway: n-grams are counted at most as often as the reference has them, but the penalty still has its fraction the wrong way round.
def bleu(translations, references, max_n=4):
    """Score translations against one reference each, all of them lists of words: BLEU, 0 to 100.

    The precision of each n is the share of all n-grams of the translations that are in their
    reference, where an n-gram counts at most as often as it is there. BLEU is the geometric mean of
    the precisions, less a penalty where the translations together are too short.
    """
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += sum(min(count, there[gram]) for gram, count in came.items())
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - written / expected)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: each_gram_once | TRUE CAUSE: The penalty is mended, but each different n-gram of the translation now counts at most once, also where the reference has it more often.
def bleu(translations, references, max_n=4):
    """Score translations against one reference each, all of them lists of words: BLEU, 0 to 100.

    The precision of each n is the share of all n-grams of the translations that are in their
    reference, where an n-gram counts at most as often as it is there. BLEU is the geometric mean of
    the precisions, less a penalty where the translations together are too short.
    """
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += sum(gram in there for gram in came)
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: last_n_gram_lost | TRUE CAUSE: Both bugs are mended, but something right was changed as well: the range of n_grams lost its + 1, so the last n-gram of each sentence is missing.
def bleu(translations, references, max_n=4):
    """Score translations against one reference each, all of them lists of words: BLEU, 0 to 100."""
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += (came & there).total()
            total += came.total()
        logs.append(math.log(matched / total))
    written = sum(map(len, translations))
    expected = sum(map(len, references))
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)
