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
