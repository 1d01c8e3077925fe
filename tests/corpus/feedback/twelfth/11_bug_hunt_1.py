# %% wrong: each_gram_counts_once | TRUE CAUSE: The clip is min(1, there[gram]), so an n-gram counts once at most however often it is in both, instead of min(count, there[gram]); repeated words that the reference repeats as well are lost.
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
            matched += sum(min(1, there[gram]) for gram in came)
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)
# %% wrong: penalty_is_the_plain_ratio | TRUE CAUSE: The penalty is the logarithm of written / expected, so the factor is t / r itself instead of e to the 1 - r/t, and translations that are too short are punished too little.
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
    penalty = min(0.0, math.log(written / expected))
    return 100 * math.exp(sum(logs) / max_n + penalty)
# %% wrong: own_missing_words_per_sentence | TRUE CAUSE: The words missing are added up sentence by sentence with max(0, ...), so a long translation cannot make up for a short one, although only the translations together count for the penalty.
def bleu(translations, references, max_n=4):
    def grams(words, n):
        return [tuple(words[i : i + n]) for i in range(len(words) - n + 1)]

    score = 1.0
    for n in range(1, max_n + 1):
        hits = tries = 0
        for mine, theirs in zip(translations, references):
            open_grams = grams(theirs, n)
            for gram in grams(mine, n):
                tries += 1
                if gram in open_grams:
                    open_grams.remove(gram)
                    hits += 1
        score *= (hits / tries) ** (1 / max_n)
    missing = sum(max(0, len(theirs) - len(mine)) for mine, theirs in zip(translations, references))
    words = sum(len(mine) for mine in translations)
    return 100 * score * math.exp(-missing / words)
# %% wrong: own_all_references_in_one_counter | TRUE CAUSE: The n-grams of all translations and of all references are each put into one Counter before they are compared, so an n-gram also counts as a match where it is only in the reference of another sentence.
def bleu(translations, references, max_n=4):
    from collections import Counter

    def count(sentences, n):
        return Counter(
            tuple(words[i : i + n]) for words in sentences for i in range(len(words) - n + 1)
        )

    precisions = []
    for n in range(1, max_n + 1):
        ours, theirs = count(translations, n), count(references, n)
        precisions.append((ours & theirs).total() / ours.total())
    t = sum(map(len, translations))
    r = sum(map(len, references))
    brevity = 1.0 if t >= r else math.exp(1 - r / t)
    return 100 * brevity * math.prod(precisions) ** (1 / max_n)
