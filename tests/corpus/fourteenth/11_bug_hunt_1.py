# %% wrong: each_ngram_counts_once | The clip is min(1, there[gram]): an n-gram counts once at most, however often it stands in both. It may count as often as it is in the reference, but also not more often than it came.
def bleu(translations, references, max_n=4):
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
# %% wrong: penalty_of_the_other_fraction | The penalty is written / expected - 1. It is 0 and negative in the right cases, but has another value than 1 - expected / written: -0.167 instead of -0.2 for 5 words against 6.
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
# %% wrong: own_penalty_of_each_sentence | The brevity penalty is computed for each sentence and averaged, so every short sentence is punished. It should compare the lengths of all translations together with those of all references.
def bleu(translations, references, max_n=4):
    from collections import Counter
    pairs = list(zip(translations, references, strict=True))
    def cut(words, n):
        return Counter(zip(*(words[shift:] for shift in range(n)), strict=False))
    log_precision = 0.0
    for n in range(1, max_n + 1):
        hits = sum(sum((cut(one, n) & cut(other, n)).values()) for one, other in pairs)
        tried = sum(sum(cut(one, n).values()) for one, _ in pairs)
        log_precision += math.log(hits / tried) / max_n
    penalties = [min(0.0, 1 - len(other) / len(one)) for one, other in pairs]
    return 100 * math.exp(log_precision + sum(penalties) / len(penalties))
# %% wrong: own_counts_pooled_over_the_corpus | The n-grams of all translations are pooled, and clipped by those of all references. So an n-gram is matched by the reference of another sentence; each has to be in its own reference.
def bleu(translations, references, max_n=4):
    from collections import Counter
    if len(translations) != len(references):
        raise ValueError("each translation needs a reference")
    def all_of(texts, n):
        return Counter(
            tuple(words[at : at + n]) for words in texts for at in range(len(words) - n + 1)
        )
    product = 1.0
    for n in range(1, max_n + 1):
        came, there = all_of(translations, n), all_of(references, n)
        matched = sum(min(count, there[gram]) for gram, count in came.items())
        product *= matched / sum(came.values())
    written = sum(map(len, translations))
    expected = sum(map(len, references))
    factor = 1.0 if written >= expected else math.exp(1 - expected / written)
    return 100 * factor * product ** (1 / max_n)
