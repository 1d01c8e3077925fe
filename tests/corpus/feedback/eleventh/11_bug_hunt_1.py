# %% wrong: each_kind_counts_once | TRUE CAUSE: the clipping is mended as `gram in there`, which counts each different n-gram once, instead of min(count, there[gram]), so an n-gram that comes several times in both matches only once
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
            matched += sum(gram in there for gram in came)
            total += sum(came.values())
        logs.append(math.log(matched / total))
    written = sum(len(translation) for translation in translations)
    expected = sum(len(reference) for reference in references)
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp(sum(logs) / max_n + penalty)

# %% wrong: penalty_averaged_too | TRUE CAUSE: both bugs are mended, but the penalty was moved inside the parentheses of the mean, (sum(logs) + penalty) / max_n, so the factor for short translations is taken to the power 1 / max_n
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
    penalty = min(0.0, 1 - expected / written)
    return 100 * math.exp((sum(logs) + penalty) / max_n)

# %% wrong: own_missing_words_per_sentence | TRUE CAUSE: the brevity penalty adds up the missing words of each sentence, max(0, r - t), so that longer translations of other sentences cannot make up for short ones, instead of comparing the lengths of all translations together
def bleu(translations, references, max_n=4):
    from collections import Counter

    def grams(words, n):
        return Counter(zip(*(words[k:] for k in range(n))))

    hits, tries = [0] * max_n, [0] * max_n
    missing = words_written = 0
    for ours, theirs in zip(translations, references, strict=True):
        words_written += len(ours)
        missing += max(0, len(theirs) - len(ours))
        for n in range(1, max_n + 1):
            mine = grams(ours, n)
            hits[n - 1] += sum((mine & grams(theirs, n)).values())
            tries[n - 1] += sum(mine.values())
    precision = math.prod(h / t for h, t in zip(hits, tries)) ** (1 / max_n)
    return 100 * precision * math.exp(-missing / words_written)

# %% wrong: own_all_references_in_one_counter | TRUE CAUSE: the n-grams of all translations and of all references are pooled in two counters before they are compared, so an n-gram also matches if it occurs only in the reference of another sentence
def bleu(translations, references, max_n=4):
    from collections import Counter

    def count(texts, n):
        counts = Counter()
        for words in texts:
            for i in range(n, len(words) + 1):
                counts[" ".join(words[i - n : i])] += 1
        return counts

    t = sum(map(len, translations))
    r = sum(map(len, references))
    score = 1.0 if t >= r else math.exp(1 - r / t)
    for n in range(1, max_n + 1):
        written, wanted = count(translations, n), count(references, n)
        both = sum(min(written[g], wanted[g]) for g in written)
        score *= (both / sum(written.values())) ** (1 / max_n)
    return 100 * score
