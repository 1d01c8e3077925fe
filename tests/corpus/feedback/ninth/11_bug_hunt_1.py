# %% wrong: each_gram_matches_once | TRUE CAUSE: mends the clipping in a wrong way: each different n-gram of the translation that is in the reference counts once, min(1, there), in place of min(count, there), so a word that both have twice is counted once
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

# %% wrong: penalty_with_sign_turned | TRUE CAUSE: mends the penalty by turning its sign, written / expected - 1, in place of swapping the two lengths, 1 - expected / written, so translations that are too short are punished too little
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

# %% wrong: own_all_references_in_one_bag | TRUE CAUSE: counts the n-grams of all translations in one Counter and those of all references in another, so an n-gram also counts as matched when it is only in the reference of another sentence
def bleu(translations, references, max_n=4):
    from collections import Counter

    def bag(sentences, n):
        grams = Counter()
        for words in sentences:
            grams.update(zip(*(words[shift:] for shift in range(n))))
        return grams

    product = 1.0
    for n in range(1, max_n + 1):
        ours, theirs = bag(translations, n), bag(references, n)
        product *= sum((ours & theirs).values()) / sum(ours.values())
    t, r = sum(map(len, translations)), sum(map(len, references))
    brevity = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * brevity * product ** (1 / max_n)

# %% wrong: own_every_short_sentence_punished | TRUE CAUSE: compares the lengths sentence by sentence, adding up max(len(translation), len(reference)) as the expected length, so a short sentence is punished even where a longer one makes up for it, though only the translations together count
def bleu(translations, references, max_n=4):
    from collections import Counter

    hits, totals = [0] * max_n, [0] * max_n
    t = r = 0
    for hyp, ref in zip(translations, references, strict=True):
        t += len(hyp)
        r += max(len(hyp), len(ref))
        for k in range(max_n):
            h = Counter(tuple(hyp[i : i + k + 1]) for i in range(len(hyp) - k))
            g = Counter(tuple(ref[i : i + k + 1]) for i in range(len(ref) - k))
            hits[k] += sum(min(h[x], g[x]) for x in h)
            totals[k] += sum(h.values())
    log_mean = sum(math.log(a / b) for a, b in zip(hits, totals)) / max_n
    return 100 * math.exp(log_mean) * math.exp(1 - r / t)
