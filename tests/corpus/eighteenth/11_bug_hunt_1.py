# %% wrong: penalty-untouched | The counting was mended (each n-gram at most as often as the reference has it), but the penalty is still 1 - t/r for t words of translation and r of reference, upside down: it punishes translations that are too long and not those that are too short. It has to be 1 - r/t.
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

# %% wrong: repeats-all-count | The penalty was mended, but an n-gram that comes more often than in the reference still counts each time: "the the the" is all right where the reference has one "the". It counts at most as often as it is there, min(count, there[gram]).
def bleu(translations, references, max_n=4):
    def n_grams(words, n):
        return list(zip(*(words[shift:] for shift in range(n))))
    def precision(n):
        hits = tries = 0
        for translation, reference in zip(translations, references, strict=True):
            known = set(n_grams(reference, n))
            grams = n_grams(translation, n)
            hits += sum(gram in known for gram in grams)
            tries += len(grams)
        return hits / tries
    mean = math.prod(precision(n) for n in range(1, max_n + 1)) ** (1 / max_n)
    written, expected = sum(map(len, translations)), sum(map(len, references))
    factor = 1.0 if written >= expected else math.exp(1 - expected / written)
    return 100 * factor * mean

# %% wrong: one-bag-for-the-corpus | The n-grams of all references are put into one bag and those of all translations into another, and these are compared. So an n-gram counts if any reference has it; it has to be in the reference of its own sentence, and only the counts are added over the sentences.
def bleu(translations, references, max_n=4):
    from collections import Counter
    def bag(sentences, n):
        grams = Counter()
        for words in sentences:
            grams.update(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
        return grams
    log_mean = 0.0
    for n in range(1, max_n + 1):
        came, there = bag(translations, n), bag(references, n)
        log_mean += math.log((came & there).total() / came.total()) / max_n
    written = sum(len(words) for words in translations)
    expected = sum(len(words) for words in references)
    return 100 * math.exp(log_mean + min(0.0, 1 - expected / written))

# %% wrong: d2l-weights | The precision of each n gets the power 0.5**n, as in d2l, where longer n-grams weigh differently. BLEU here is the geometric mean, so each has the power 1/max_n (both bugs of the cell are mended).
def bleu(translations, references, max_n=4):
    from collections import Counter
    len_pred = sum(len(translation) for translation in translations)
    len_label = sum(len(reference) for reference in references)
    score = math.exp(min(0, 1 - len_label / len_pred))
    for n in range(1, max_n + 1):
        num_matches, num_grams = 0, 0
        for pred_tokens, label_tokens in zip(translations, references, strict=True):
            label_subs = Counter()
            for i in range(len(label_tokens) - n + 1):
                label_subs[tuple(label_tokens[i : i + n])] += 1
            for i in range(len(pred_tokens) - n + 1):
                gram = tuple(pred_tokens[i : i + n])
                num_grams += 1
                if label_subs[gram] > 0:
                    num_matches += 1
                    label_subs[gram] -= 1
        score *= math.pow(num_matches / num_grams, math.pow(0.5, n))
    return 100 * score

# %% wrong: each-n-gram-once | The n-grams are compared as sets, so one that comes twice in the translation and twice in the reference counts as matched only once, while all are in the total. It has to count as often as the reference has it.
def bleu(translations, references, max_n=4):
    def n_grams(words, n):
        return [tuple(words[at : at + n]) for at in range(len(words) - n + 1)]
    logs = []
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in zip(translations, references, strict=True):
            came, there = n_grams(translation, n), n_grams(reference, n)
            matched += len(set(came) & set(there))
            total += len(came)
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: reward-for-length | The penalty was turned the right way, 1 - r/t, but the min with 0 was dropped: where the translations together are longer than the references it is positive, and multiplies the score by a factor above 1. The factor may only punish.
def bleu(translations, references, max_n=4):
    from collections import Counter
    def n_grams(words, n):
        return Counter(tuple(words[at : at + n]) for at in range(len(words) - n + 1))
    logs = []
    for n in range(1, max_n + 1):
        counts = [
            (n_grams(translation, n), n_grams(reference, n))
            for translation, reference in zip(translations, references, strict=True)
        ]
        matched = sum(sum((came & there).values()) for came, there in counts)
        total = sum(sum(came.values()) for came, _ in counts)
        logs.append(math.log(matched) - math.log(total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = 1 - expected / written
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% right: taken-off-a-list
def bleu(translations, references, max_n=4):
    pairs = list(zip(translations, references, strict=True))
    product = 1.0
    for n in range(1, max_n + 1):
        matched = total = 0
        for translation, reference in pairs:
            left = [tuple(reference[i : i + n]) for i in range(len(reference) - n + 1)]
            for i in range(len(translation) - n + 1):
                total += 1
                gram = tuple(translation[i : i + n])
                if gram in left:
                    left.remove(gram)
                    matched += 1
        product *= matched / total
    t, r = sum(len(pair[0]) for pair in pairs), sum(len(pair[1]) for pair in pairs)
    brevity = min(1.0, math.exp(1 - r / t))
    return 100 * brevity * product ** (1 / max_n)
