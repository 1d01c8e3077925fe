# %% wrong: only_penalty_fixed | TRUE CAUSE: only the penalty is repaired; an n-gram that is repeated still counts as often as it came, not at most as often as in the reference
def bleu(translations, references, max_n=4):
    """Score translations against one reference each, all of them lists of words: BLEU, 0 to 100.

    The precision of each n is the share of all n-grams of the translations that are in their
    reference, where an n-gram counts at most as often as it is there. BLEU is the geometric mean of
    the precisions, times a factor below 1 where the translations together are too short.
    """
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += sum(count * (there[gram] > 0) for gram, count in came.items())
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: only_clipping_fixed | TRUE CAUSE: only the counting is repaired; the penalty still has the fraction upside down, so it punishes too long translations and not too short ones
def bleu(translations, references, max_n=4):
    """Score translations against one reference each, all of them lists of words: BLEU, 0 to 100.

    The precision of each n is the share of all n-grams of the translations that are in their
    reference, where an n-gram counts at most as often as it is there. BLEU is the geometric mean of
    the precisions, times a factor below 1 where the translations together are too short.
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

# %% wrong: each_gram_once | TRUE CAUSE: the fraction is repaired, but the counting is wrong in another way: each n-gram that is in the reference counts once, however often it is in both
def bleu(translations, references, max_n=4):
    """Score translations against one reference each, all of them lists of words: BLEU, 0 to 100.

    The precision of each n is the share of all n-grams of the translations that are in their
    reference, where an n-gram counts at most as often as it is there. BLEU is the geometric mean of
    the precisions, times a factor below 1 where the translations together are too short.
    """
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += sum(min(1, there[gram]) for gram in came)
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: max_for_min | TRUE CAUSE: both places are changed, but the penalty takes max(0, ...) in place of min: a too short translation is not punished, and a too long one is rewarded
def bleu(translations, references, max_n=4):
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += sum((came & there).values())
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(map(len, translations))
    expected = sum(map(len, references))
    penalty = max(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: recall_not_precision | TRUE CAUSE: both bugs are repaired, but the total was changed to count the reference's n-grams, so the shares are recalls, not precisions
def bleu(translations, references, max_n=4):
    """Score translations against one reference each, all of them lists of words: BLEU, 0 to 100.

    The precision of each n is the share of all n-grams of the translations that are in their
    reference, where an n-gram counts at most as often as it is there. BLEU is the geometric mean of
    the precisions, times a factor below 1 where the translations together are too short.
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
            total += sum(there.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: penalty_per_sentence | TRUE CAUSE: counting is right, but the penalty is the mean of the sentences' own penalties, not that of the lengths of all translations together
def bleu(translations, references, max_n=4):
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
    penalties = [min(0.0, 1 - len(r) / len(t)) for t, r in zip(translations, references)]
    penalty = sum(penalties) / len(penalties)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: clip_wrong_and_penalty_dropped | TRUE CAUSE: two mistakes: the count is replaced by the reference's count, there[gram], even where the translation has fewer; and the penalty stays upside down
def bleu(translations, references, max_n=4):
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += sum(there[gram] for gram in came)
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - written / expected)
    return 100 * math.exp(sum(logs) / max_n + penalty)
