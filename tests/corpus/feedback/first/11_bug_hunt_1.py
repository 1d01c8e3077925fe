# %% wrong: penalty_left | TRUE CAUSE: the counts are clipped now, but the penalty is still 1 - written / expected, so a translation that is too short is not punished and one that is too long is
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

# %% wrong: counted_once | TRUE CAUSE: the penalty is mended, but each n-gram now counts at most once instead of as often as it is in the reference
def bleu(translations, references, max_n=4):
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += len(came.keys() & there.keys())
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: rewards_length | TRUE CAUSE: the counts and the ratio are mended, but min was made max, so short translations are not punished and long ones are rewarded
def bleu(translations, references, max_n=4):
    from collections import Counter

    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))

    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += (came & there).total()
            total += came.total()
        logs.append(math.log(matched / total))
    written = sum(map(len, translations))
    expected = sum(map(len, references))
    penalty = max(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)
