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


# %% right: tenth_own_product
def bleu(translations, references, max_n=4):
    from collections import Counter

    hits, counts, t, r = [0] * max_n, [0] * max_n, 0, 0
    for hyp, ref in zip(translations, references, strict=True):
        t, r = t + len(hyp), r + len(ref)
        for n in range(max_n):
            ours = Counter(tuple(hyp[i : i + n + 1]) for i in range(len(hyp) - n))
            theirs = Counter(tuple(ref[i : i + n + 1]) for i in range(len(ref) - n))
            hits[n] += sum((ours & theirs).values())
            counts[n] += sum(ours.values())
    precisions = [hit / count for hit, count in zip(hits, counts)]
    factor = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * factor * math.prod(precisions) ** (1 / max_n)

# %% right: tenth_own_crossing_off
def bleu(translations, references, max_n=4):
    pairs = list(zip(translations, references, strict=True))

    def precision(n):
        matched, total = 0, 0
        for said, meant in pairs:
            left = [meant[i : i + n] for i in range(len(meant) - n + 1)]
            for i in range(len(said) - n + 1):
                total += 1
                if said[i : i + n] in left:
                    left.remove(said[i : i + n])
                    matched += 1
        return matched / total

    mean_log = sum(math.log(precision(n)) for n in range(1, max_n + 1)) / max_n
    ours = sum(len(said) for said, _ in pairs)
    theirs = sum(len(meant) for _, meant in pairs)
    if ours < theirs:
        mean_log += 1 - theirs / ours
    return 100 * math.exp(mean_log)


# %% right: eleventh_own_counter_intersection
def bleu(translations, references, max_n=4):
    from collections import Counter

    def grams(words, n):
        return Counter(zip(*(words[k:] for k in range(n))))

    hits, tries = [0] * max_n, [0] * max_n
    t = r = 0
    for ours, theirs in zip(translations, references, strict=True):
        t += len(ours)
        r += len(theirs)
        for n in range(1, max_n + 1):
            mine = grams(ours, n)
            hits[n - 1] += sum((mine & grams(theirs, n)).values())
            tries[n - 1] += sum(mine.values())
    precision = math.prod(h / c for h, c in zip(hits, tries)) ** (1 / max_n)
    brevity = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * precision * brevity

# %% right: eleventh_own_crossing_off_a_list
def bleu(translations, references, max_n=4):
    def pieces(words, n):
        return [tuple(words[i - n : i]) for i in range(n, len(words) + 1)]

    def share(n):
        found = count = 0
        for words, reference in zip(translations, references, strict=True):
            left = pieces(reference, n)
            for piece in pieces(words, n):
                count += 1
                if piece in left:
                    left.remove(piece)
                    found += 1
        return found / count

    mean_log = sum(math.log(share(n)) for n in range(1, max_n + 1)) / max_n
    ours = len([word for words in translations for word in words])
    theirs = len([word for words in references for word in words])
    if ours < theirs:
        mean_log += 1 - theirs / ours
    return 100 * math.exp(mean_log)


# %% right: twelfth_own_counter_intersection
def bleu(translations, references, max_n=4):
    from collections import Counter

    def count(words, n):
        return Counter(tuple(words[i : i + n]) for i in range(len(words) - n + 1))

    precisions = []
    for n in range(1, max_n + 1):
        pairs = [(count(a, n), count(b, n)) for a, b in zip(translations, references)]
        hits = sum(sum((a & b).values()) for a, b in pairs)
        precisions.append(hits / sum(sum(a.values()) for a, _ in pairs))
    t = sum(map(len, translations))
    r = sum(map(len, references))
    brevity = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * brevity * math.prod(precisions) ** (1 / max_n)
# %% right: twelfth_own_matches_crossed_off
def bleu(translations, references, max_n=4):
    def grams(words, n):
        return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]

    log_sum = 0.0
    for n in range(1, max_n + 1):
        hits = tries = 0
        for mine, theirs in zip(translations, references):
            open_grams = grams(theirs, n)
            for gram in grams(mine, n):
                tries += 1
                if gram in open_grams:
                    open_grams.remove(gram)
                    hits += 1
        log_sum += math.log(hits) - math.log(tries)
    words = sum(len(mine) for mine in translations)
    wanted = sum(len(theirs) for theirs in references)
    short = max(0.0, wanted / words - 1)
    return 100 * math.exp(log_sum / max_n - short)
