# %% wrong: only-penalty | The penalty is mended, but an n-gram still counts as often as the translation has it wherever the reference has it at all, so repeated words are not clipped.
def bleu(translations, references, max_n=4):
    from collections import Counter
    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += sum(count * (there[gram] > 0) for gram, count in came.items())
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: penalty-inside-the-mean | The penalty is added to the logarithms before they are divided by max_n, so it counts only one max_n-th; it multiplies the mean as a whole.
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
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    logs.append(min(0.0, 1 - expected / written))
    return 100 * math.exp(sum(logs) / max_n)

# %% wrong: penalty-by-sentence | Each sentence gets a penalty of its own and these are averaged, so a long translation does not make up for a short one; the factor is for the translations together.
def bleu(translations, references, max_n=4):
    from collections import Counter
    matched, total = [0] * max_n, [0] * max_n
    penalties = []
    for hypothesis, reference in zip(translations, references, strict=True):
        penalties.append(min(0.0, 1 - len(reference) / len(hypothesis)))
        for n in range(1, max_n + 1):
            came = Counter(zip(*(hypothesis[shift:] for shift in range(n))))
            there = Counter(zip(*(reference[shift:] for shift in range(n))))
            matched[n - 1] += (came & there).total()
            total[n - 1] += came.total()
    mean_log = sum(math.log(m / t) for m, t in zip(matched, total)) / max_n
    return 100 * math.exp(mean_log + sum(penalties) / len(penalties))

# %% wrong: one-bag-for-all | The n-grams of all references are thrown into one bag, and so are those of all translations, so an n-gram may match in the reference of another sentence.
def bleu(translations, references, max_n=4):
    from collections import Counter
    def bag(texts, n):
        return Counter(
            tuple(words[at : at + n]) for words in texts for at in range(len(words) - n + 1)
        )
    logs = 0.0
    for n in range(1, max_n + 1):
        came, there = bag(translations, n), bag(references, n)
        logs += math.log(sum((came & there).values()) / sum(came.values()))
    written, expected = (sum(len(words) for words in texts) for texts in (translations, references))
    return 100 * math.exp(logs / max_n + min(0.0, 1 - expected / written))

# %% right: counter-intersection
def bleu(translations, references, max_n=4):
    from collections import Counter
    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
    pairs = list(zip(translations, references, strict=True))
    score = 1.0
    for n in range(1, max_n + 1):
        matched = sum(sum((n_grams(ours, n) & n_grams(theirs, n)).values()) for ours, theirs in pairs)
        total = sum(sum(n_grams(ours, n).values()) for ours, _ in pairs)
        score *= (matched / total) ** (1 / max_n)
    written = sum(len(ours) for ours, _ in pairs)
    expected = sum(len(theirs) for _, theirs in pairs)
    if written < expected:
        score *= math.exp(1 - expected / written)
    return 100 * score

# %% right: crossing-off
def bleu(translations, references, max_n=4):
    matched, total = [0] * max_n, [0] * max_n
    written = expected = 0
    for translation, reference in zip(translations, references, strict=True):
        written += len(translation)
        expected += len(reference)
        for n in range(1, max_n + 1):
            left = [tuple(reference[at : at + n]) for at in range(len(reference) - n + 1)]
            for at in range(len(translation) - n + 1):
                gram = tuple(translation[at : at + n])
                total[n - 1] += 1
                if gram in left:
                    left.remove(gram)
                    matched[n - 1] += 1
    logs = [math.log(found / of) for found, of in zip(matched, total)]
    brevity = 1.0 if written > expected else math.exp(1 - expected / written)
    return 100 * brevity * math.exp(sum(logs) / max_n)
