# %% wrong: only-the-penalty | Only the brevity penalty is mended (1 - expected / written); an n-gram of the translation still counts as often as it came there, and not at most as often as the reference has it.
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

# %% wrong: each-kind-once | To clip, it counts each different n-gram that is in the reference only once: a word that stands twice in the translation and twice in the reference counts once, where min(count, there) would be 2. (The penalty is mended.)
def bleu(translations, references, max_n=4):
    from collections import Counter
    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += len(set(came) & set(there))
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = 0.0 if written > expected else 1 - expected / written
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: recall-in-place-of-precision | Both bugs are mended, but total now counts the n-grams of the references: the shares become recalls instead of precisions.
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
            total += sum(there.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: long-ones-rewarded | The counts are clipped, but the penalty is mended wrongly: the fraction is turned round and min becomes max, so translations that are too short get no penalty and those that are too long get a factor above 1.
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

# %% right: counter-intersection
def bleu(translations, references, max_n=4):
    from collections import Counter
    def n_grams(words, n):
        return Counter(zip(*(words[i:] for i in range(n))))
    clipped_counts, total_counts = [0] * max_n, [0] * max_n
    translation_len = reference_len = 0
    for translation, reference in zip(translations, references, strict=True):
        translation_len += len(translation)
        reference_len += len(reference)
        for n in range(1, max_n + 1):
            came, there = n_grams(translation, n), n_grams(reference, n)
            clipped_counts[n - 1] += sum((came & there).values())
            total_counts[n - 1] += sum(came.values())
    log_precisions = [math.log(c / t) for c, t in zip(clipped_counts, total_counts)]
    if translation_len >= reference_len:
        brevity_penalty = 1.0
    else:
        brevity_penalty = math.exp(1 - reference_len / translation_len)
    return 100 * brevity_penalty * math.exp(sum(log_precisions) / max_n)
