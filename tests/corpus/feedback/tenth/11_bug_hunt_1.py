# %% wrong: penalty_with_the_wrong_divisor | TRUE CAUSE: The penalty is mended as `written / expected - 1` and not `1 - expected / written`: negative for short translations as it should be, but of another size (-1/6 rather than -1/5 in the example).
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

# %% wrong: each_n_gram_counts_once | TRUE CAUSE: Repetitions are mended by counting every distinct n-gram that is in the reference once (`sum(there[gram] > 0 for gram in came)`), so one that is there twice and in the translation twice counts 1 rather than 2.
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

# %% wrong: own_counts_pooled_over_the_corpus | TRUE CAUSE: The n-grams of all translations and of all references are added into two counters before they are matched, so an n-gram also counts if it stands in the reference of another sentence.
def bleu(translations, references, max_n=4):
    from collections import Counter

    def count(texts, n):
        every = Counter()
        for words in texts:
            every.update(zip(*(words[k:] for k in range(n))))
        return every

    if len(translations) != len(references):
        raise ValueError("one reference for each translation")
    log_sum = 0.0
    for n in range(1, max_n + 1):
        ours, theirs = count(translations, n), count(references, n)
        hits = ours & theirs
        log_sum += math.log(sum(hits.values()) / sum(ours.values()))
    t = sum(map(len, translations))
    r = sum(map(len, references))
    factor = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * factor * math.exp(log_sum / max_n)

# %% wrong: own_brevity_of_each_sentence | TRUE CAUSE: The brevity factor is computed for each sentence and averaged, rather than once from the lengths of all translations together, so one short sentence is punished although another is as much longer.
def bleu(translations, references, max_n=4):
    from collections import Counter

    hits, counts, brevity = [0] * max_n, [0] * max_n, []
    for hyp, ref in zip(translations, references, strict=True):
        for n in range(max_n):
            h = Counter(" ".join(hyp[i : i + n + 1]) for i in range(len(hyp) - n))
            r = Counter(" ".join(ref[i : i + n + 1]) for i in range(len(ref) - n))
            hits[n] += sum((h & r).values())
            counts[n] += sum(h.values())
        brevity.append(1.0 if len(hyp) >= len(ref) else math.exp(1 - len(ref) / len(hyp)))
    precisions = [hit / count for hit, count in zip(hits, counts)]
    factor = sum(brevity) / len(brevity)
    return 100 * factor * math.prod(precisions) ** (1 / max_n)
