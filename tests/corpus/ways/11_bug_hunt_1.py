# %% right: counter_intersection
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
            matched += (came & there).total()
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = 1 - max(1.0, expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% right: factor_and_root
def bleu(translations, references, max_n=4):
    from collections import Counter

    product = 1.0
    for n in range(1, max_n + 1):
        hits = grams = 0
        for words, truth in zip(translations, references, strict=True):
            ours = Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))
            theirs = Counter(tuple(truth[i : i + n]) for i in range(len(truth) - n + 1))
            for gram in ours:
                hits += min(ours[gram], theirs[gram])
            grams += max(0, len(words) - n + 1)
        product *= hits / grams
    t = sum(len(words) for words in translations)
    r = sum(len(truth) for truth in references)
    factor = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * factor * product ** (1 / max_n)


# %% right: own_counter_intersection
def bleu(translations, references, max_n=4):
    from collections import Counter

    def grams(words, n):
        return Counter(zip(*(words[shift:] for shift in range(n))))

    pairs = list(zip(translations, references, strict=True))
    product = 1.0
    for n in range(1, max_n + 1):
        matched = sum(sum((grams(a, n) & grams(b, n)).values()) for a, b in pairs)
        total = sum(sum(grams(a, n).values()) for a, _ in pairs)
        product *= matched / total
    t, r = sum(len(a) for a, _ in pairs), sum(len(b) for _, b in pairs)
    brevity = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * brevity * product ** (1 / max_n)

# %% right: own_cross_off_the_reference
def bleu(translations, references, max_n=4):
    hits, totals = [0] * max_n, [0] * max_n
    t = r = 0
    for hyp, ref in zip(translations, references, strict=True):
        t += len(hyp)
        r += len(ref)
        for k in range(max_n):
            left = [tuple(ref[i : i + k + 1]) for i in range(len(ref) - k)]
            for i in range(len(hyp) - k):
                totals[k] += 1
                gram = tuple(hyp[i : i + k + 1])
                if gram in left:
                    left.remove(gram)
                    hits[k] += 1
    log_mean = sum(math.log(a / b) for a, b in zip(hits, totals)) / max_n
    return 100 * math.exp(log_mean + min(0, 1 - r / t))
