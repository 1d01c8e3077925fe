# %% wrong: only-the-count | An n-gram counts at most as often as it is in the reference now, but the penalty still has the fraction upside down: 1 - written / expected punishes translations that are too long.
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
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - written / expected)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: longer-ones-rewarded | Both lines were changed, and the fraction stands the right way up, but with max instead of min: short translations lose nothing, and long ones gain a factor above 1.
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
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = max(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: once-at-most | The matches are counted with sets: each n-gram counts at most once, although it may count as often as the reference has it.
def bleu(translations, references, max_n=4):
    def n_grams(words, n):
        return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]
    logs = 0.0
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came = n_grams(translation, n)
            matched += len(set(came) & set(n_grams(reference, n)))
            total += len(came)
        logs += math.log(matched / total) / max_n
    t, r = sum(map(len, translations)), sum(map(len, references))
    return 100 * math.exp(logs + min(0.0, 1 - r / t))

# %% wrong: all-references-in-one-pot | In the manner of code that pools the counts of a corpus: the n-grams of all sentences are counted together and only then cut to those of all references, so an n-gram also matches the reference of another sentence. It has to be in its own.
def bleu(translations, references, max_n=4):
    from collections import Counter
    def ngram_counts(corpus, n):
        counts = Counter()
        for segment in corpus:
            counts.update(tuple(segment[i : i + n]) for i in range(len(segment) - n + 1))
        return counts
    precisions = []
    for n in range(1, max_n + 1):
        hyp, ref = ngram_counts(translations, n), ngram_counts(references, n)
        overlap = hyp & ref
        precisions.append(sum(overlap.values()) / sum(hyp.values()))
    hyp_len = sum(len(segment) for segment in translations)
    ref_len = sum(len(segment) for segment in references)
    bp = 1.0 if hyp_len > ref_len else math.exp(1 - ref_len / hyp_len)
    return 100 * bp * math.prod(precisions) ** (1 / max_n)

# %% wrong: penalty-of-each-sentence | The penalty is worked out for each sentence and averaged. The text asks whether the translations together are too short; here a long one no longer makes up for a short one.
def bleu(translations, references, max_n=4):
    from collections import Counter
    logs, penalties = [], []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came = Counter(zip(*(translation[k:] for k in range(n))))
            there = Counter(zip(*(reference[k:] for k in range(n))))
            matched += sum((came & there).values())
            total += sum(came.values())
        logs.append(math.log(matched) - math.log(total))
    for translation, reference in zip(translations, references, strict=True):
        penalties.append(min(0.0, 1 - len(reference) / len(translation)))
    return 100 * math.exp(sum(logs) / max_n + sum(penalties) / len(penalties))

# %% right: counters-and-products
def bleu(translations, references, max_n=4):
    from collections import Counter
    def grams(words, n):
        return Counter(zip(*(words[k:] for k in range(n))))
    matched, total = [0] * max_n, [0] * max_n
    for translation, reference in zip(translations, references, strict=True):
        for n in range(max_n):
            came = grams(translation, n + 1)
            matched[n] += sum((came & grams(reference, n + 1)).values())
            total[n] += sum(came.values())
    shares = [hits / count for hits, count in zip(matched, total, strict=True)]
    r, t = sum(map(len, references)), sum(map(len, translations))
    brevity = math.exp(1 - r / t) if t < r else 1.0
    return 100 * brevity * math.prod(shares) ** (1 / max_n)
