# %% wrong: each_gram_once | TRUE CAUSE: the clipping lets each different n-gram count once at most (min with 1), not as often as it is in the reference; the penalty is right
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

# %% wrong: penalty_already_a_factor | TRUE CAUSE: the penalty is made a factor by math.exp at most 1 and then still added inside the exp, so a translation long enough is multiplied by e
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
    penalty = min(1.0, math.exp(1 - expected / written))
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: penalty_per_sentence | TRUE CAUSE: the brevity penalty is averaged over the sentences, one each, instead of computed from the total lengths: a long translation cannot make up for a short one
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
    shorts = [min(0.0, 1 - len(r) / len(t)) for t, r in zip(translations, references, strict=True)]
    penalty = sum(shorts) / len(shorts)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: recall_for_precision | TRUE CAUSE: divides the matches by the n-grams of the reference (recall) where the bug was the clipping only; the total was right before (the other two are fixed)
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

