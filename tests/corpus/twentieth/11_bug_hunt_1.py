# %% wrong: ratio-minus-one | The penalty was turned the right way, but to min(0, written / expected - 1) instead of 1 - expected / written; short translations are punished, but by e^(t/r - 1) instead of e^(1 - r/t).
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
    penalty = min(0.0, written / expected - 1)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: each-n-gram-once | A matched n-gram counts once only, however often translation and reference have it (an intersection of sets of n-grams); it should count as often as it came, but at most as often as it is in the reference.
def bleu(translations, references, max_n=4):
    def n_grams(words, n):
        return [tuple(words[at : at + n]) for at in range(len(words) - n + 1)]
    pairs = list(zip(translations, references, strict=True))
    logs = []
    for n in range(1, max_n + 1):
        matched = sum(len(set(n_grams(t, n)) & set(n_grams(r, n))) for t, r in pairs)
        total = sum(len(n_grams(t, n)) for t, _ in pairs)
        logs.append(math.log(matched / total))
    written = sum(len(t) for t, _ in pairs)
    expected = sum(len(r) for _, r in pairs)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: d2l-weights-by-halves | The precisions get the exponents 1/2, 1/4, 1/8, ..., as in d2l, instead of 1 / max_n each; so it is not their geometric mean.
def bleu(translations, references, max_n=4):
    from collections import defaultdict
    len_pred = sum(map(len, translations))
    len_label = sum(map(len, references))
    score = math.exp(min(0, 1 - len_label / len_pred))
    for n in range(1, max_n + 1):
        num_matches = num_all = 0
        for pred_tokens, label_tokens in zip(translations, references, strict=True):
            label_subs = defaultdict(int)
            for i in range(len(label_tokens) - n + 1):
                label_subs[" ".join(label_tokens[i : i + n])] += 1
            for i in range(len(pred_tokens) - n + 1):
                num_all += 1
                if label_subs[" ".join(pred_tokens[i : i + n])] > 0:
                    num_matches += 1
                    label_subs[" ".join(pred_tokens[i : i + n])] -= 1
        score *= math.pow(num_matches / num_all, math.pow(0.5, n))
    return 100 * score

# %% wrong: nltk-mean-of-sentences | BLEU is computed for each sentence and then averaged over the sentences, instead of counting matches, n-grams and lengths over all translations together.
def bleu(translations, references, max_n=4):
    from collections import Counter
    from statistics import fmean
    def sentence_bleu(hypothesis, reference):
        logs = []
        for n in range(1, max_n + 1):
            counts = Counter(zip(*(hypothesis[i:] for i in range(n))))
            allowed = Counter(zip(*(reference[i:] for i in range(n))))
            clipped = {gram: min(count, allowed[gram]) for gram, count in counts.items()}
            logs.append(math.log(sum(clipped.values()) / sum(counts.values())))
        brevity = min(0.0, 1 - len(reference) / len(hypothesis))
        return math.exp(fmean(logs) + brevity)
    scores = [sentence_bleu(t, r) for t, r in zip(translations, references, strict=True)]
    return 100 * fmean(scores)

# %% wrong: penalty-within-the-mean | The penalty is added to the sum of the logarithms before that is divided by max_n; so only a max_n-th of it counts, instead of the whole factor on the geometric mean.
def bleu(translations, references, max_n=4):
    from collections import Counter
    matched, total = [0] * max_n, [0] * max_n
    written = expected = 0
    for translation, reference in zip(translations, references, strict=True):
        written += len(translation)
        expected += len(reference)
        for n in range(1, max_n + 1):
            left = Counter(tuple(reference[at : at + n]) for at in range(len(reference) - n + 1))
            for at in range(len(translation) - n + 1):
                gram = tuple(translation[at : at + n])
                total[n - 1] += 1
                if left[gram]:
                    left[gram] -= 1
                    matched[n - 1] += 1
    exponent = min(0.0, 1 - expected / written)
    for found, of in zip(matched, total):
        exponent += math.log(found / of)
    return 100 * math.exp(exponent / max_n)

# %% wrong: recall-and-old-penalty | Two mistakes. (1) The share is taken of the n-grams of the reference, a recall, instead of those of the translation. (2) The penalty is left as it was and punishes translations that are too long instead of those that are too short.
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
            total += sum(there.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - written / expected)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% right: product-of-shares
def bleu(translations, references, max_n=4):
    from collections import Counter
    def windows(words, n):
        return Counter(zip(*(words[first:] for first in range(n))))
    precisions = []
    for n in range(1, max_n + 1):
        pairs = [
            (windows(t, n), windows(r, n)) for t, r in zip(translations, references, strict=True)
        ]
        clipped = sum((came & there).total() for came, there in pairs)
        precisions.append(clipped / sum(came.total() for came, _ in pairs))
    c, r = sum(map(len, translations)), sum(map(len, references))
    brevity = 1.0 if c >= r else math.exp(1 - r / c)
    if min(precisions) == 0:
        return 0.0
    return 100 * brevity * math.exp(sum(map(math.log, precisions)) / max_n)

# %% right: one-walk-through-the-corpus
def bleu(translations, references, max_n=4):
    hits, tries = dict.fromkeys(range(1, max_n + 1), 0), dict.fromkeys(range(1, max_n + 1), 0)
    too_short = 0
    words = 0
    for translation, reference in zip(translations, references, strict=True):
        too_short += len(reference) - len(translation)
        words += len(translation)
        for n in hits:
            unused = [tuple(reference[at : at + n]) for at in range(len(reference) - n + 1)]
            for at in range(len(translation) - n + 1):
                tries[n] += 1
                gram = tuple(translation[at : at + n])
                if gram in unused:
                    unused.remove(gram)
                    hits[n] += 1
    mean_log = sum(math.log(hits[n] / tries[n]) for n in hits) / max_n
    return 100 * math.exp(mean_log - max(0, too_short) / words)
