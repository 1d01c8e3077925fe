# %% wrong: each_n_gram_once | TRUE CAUSE: the clipping is overdone: each different n-gram counts at most once, though it may count as often as it is in the reference (the penalty is repaired)
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
            matched += sum(there[gram] > 0 for gram in came)
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)


# %% wrong: penalty_t_over_r_minus_1 | TRUE CAUSE: the exponent of the brevity factor was changed to t/r - 1, which is negative for short translations but is not 1 - r/t: too mild (the clipping is repaired)
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


# %% wrong: penalty_sentence_by_sentence | TRUE CAUSE: the brevity penalty is computed for each sentence and averaged, not from the lengths of all translations together, so a long translation no longer makes up for a short one
def bleu(translations, references, max_n=4):
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    pairs = list(zip(translations, references, strict=True))
    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in pairs:
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += (came & there).total()
            total += came.total()
        logs.append(math.log(matched / total))
    penalties = [min(0.0, 1 - len(reference) / len(translation)) for translation, reference in pairs]
    penalty = sum(penalties) / len(penalties)
    return 100 * math.exp(sum(logs) / max_n + penalty)
