# %% wrong: factor_with_the_wrong_denominator | TRUE CAUSE: the brevity penalty has become written / expected - 1 (t/r - 1) instead of 1 - expected / written (1 - r/t): the sign is right, the size is not (clipping is repaired)
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
    penalty = min(0.0, written / expected - 1)
    return 100 * math.exp(sum(logs) / max_n + penalty)


# %% wrong: each_n_gram_once | TRUE CAUSE: an n-gram that is in the reference counts once only, even if it is there twice: it should count as often as it came, at most as often as it is in the reference (penalty is repaired)
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
            matched += sum(1 for gram in came if gram in there)
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)


# %% wrong: penalty_for_each_sentence | TRUE CAUSE: the brevity penalty is computed for each sentence and averaged, so one short sentence is punished though the translations together are long enough (clipping is repaired)
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
            matched += sum((came & there).values())
            total += sum(came.values())
        logs.append(math.log(matched / total))
    penalties = [
        min(0.0, 1 - len(reference) / len(translation))
        for translation, reference in zip(translations, references, strict=True)
    ]
    penalty = sum(penalties) / len(penalties)
    return 100 * math.exp(sum(logs) / max_n + penalty)
