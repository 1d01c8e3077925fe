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
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)
