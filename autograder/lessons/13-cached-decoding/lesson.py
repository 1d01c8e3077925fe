# %% [markdown]
# ## How much is computed again?
#
# To write "seven hundred twenty-five", the translator's decoder runs once for each new token, and
# reads everything from the start each time.
#
# *Predict, then run.* The decoder reads `<bos>` in its first step, and one token more in each later
# one. If a translation of 100 tokens takes 100 steps, how many positions does the decoder compute
# in all of them together?

# %% name="guess-positions"
positions_of_100 = None

# %% name="reveal-positions"
wb.reveal(positions_of_100)

# %% name="without-a-cache"
for length in (5, 20, 100):
    read = sum(range(1, length + 1))
    print(f"{length:3} tokens: {read:5} positions computed, {length} of them new")

# %% [markdown]
# For a translation of 100 tokens, 98 % of the positions were computed before. If they come out the
# same each time, the decoder could remember them, and write the same translations with far less
# work.
#
# ## What you will be able to do
#
# - say which keys and values may be kept from step to step, and why,
# - decode with a cache of them, one position at each step, greedily and with a beam,
# - cut an attention layer in two, at the place where a cache belongs,
# - say why writing a text waits for a GPU's memory, while reading one doesn't.
#
# It takes about 80 minutes. At the end, your own translator of lesson 11 writes with caches.
#
# *Where it sits.* Figure 1 stays as it is here, too, so the map shows this lesson at its side.

# %% name="where-it-sits"
wb.progress(current=["CachedDecoder"])

# %% name="setup"
split_heads, merge_heads = wb.use("split_heads", "merge_heads")
padding_mask, target_mask = wb.use("padding_mask", "target_mask")

# %% [markdown]
# ## Does the past change?
#
# We may remember the past only if a new token doesn't change it, so we compare the vectors of
# earlier positions before and after it comes.
#
# *Predict, then run.* Both stacks read five ids, and then the same five with a sixth behind them.
# Where do the vectors of the first five change, in the encoder, the decoder, both or neither?

# %% name="guess-changed"
changed = None  # "encoder", "decoder", "both" or "neither"

# %% name="a-sixth-id"
make_model, causal_mask = wb.use("make_model", "causal_mask")
wb.seed_everything(0)
model = make_model(20, 20, d_model=16, num_heads=2, num_layers=2, d_ff=32).eval()
ids = torch.randint(4, 20, (1, 6))
with torch.no_grad():
    memory = model.encode(ids)
    stacks = {
        "encoder": model.encode,
        "decoder": lambda ids: model.decode(ids, memory, None, causal_mask(ids.size(1))),
    }
    for stack, read in stacks.items():
        before, after = read(ids[:, :5]), read(ids)
        print(f"{stack}: changed by up to {(after[:, :5] - before).abs().max():.1e}")
wb.reveal(changed)

# %% [markdown]
# In the encoder each position sees the new token, so all vectors change. In the decoder, no earlier
# position sees a later one, so in every layer the vectors of earlier positions stay the same (but
# for rounding), and so do the keys and values made from them. A new token looks at earlier
# positions only through these keys and values, so we can keep them in a **KV cache**. Here we see
# how the cache of a decoder layer fills for one sentence, step by step:

# %% name="cache-drawn"
wb.show.cache()

# %% [markdown]
# Each step reads one token, so self-attention adds one new key and value to those that it has kept.
# Cross-attention computes its own only once, since the encoder's memory doesn't change.
#
# ## Your turn: a cache
#
# We could put each new key behind the others with `torch.cat`, but that copies all of them at every
# step. Since we know how long a translation can get, we make room for `max_len` positions at once,
# and write each new key into the next free place. So a `KeyValueCache` holds two tensors, `(N, H,
# max_len, d_k)`, and a `length`, the number of places that are taken (the picture shows only
# these). It makes the tensors when the first keys come, because only then does it know N, H and
# `d_k`, and also their dtype and device. When a text is there from the start, as in lesson 14,
# several positions come in one call.
#
# `reorder(rows)` is for beam search, where a prefix continues another one and needs its past. Row n
# gets the keys and values of row `rows[n]`.

# %% answer="KeyValueCache"

# %% check="KeyValueCache"

# %% name="hint-cache"
wb.hint("end")

# %% [markdown]
# ## Your turn: attention in two halves
#
# Your `MultiHeadAttention` does everything in one call, and leaves no place for a cache. That's why
# we cut its work in two, at the place where the cache belongs:
#
# | | works on | can be kept |
# |---|---|---|
# | `keys_and_values` | the vectors that are looked at | yes |
# | `attend` | the vectors that ask, and keys and values | no: each query asks once |
#
# For Eq. 1, `attend` may call `F.scaled_dot_product_attention`.
#
# <details><summary>The fine print</summary>
#
# - Both take an attention of your model, fused or not, and use its `w_q`, `w_k`, `w_v`, `w_o` and
#   `num_heads`. Nothing in it changes.
# - Decoding uses no dropout, whatever mode the attention is in.
# - Every query sees at least one key.
#
# </details>

# %% answer="keys_and_values"

# %% check="keys_and_values"

# %% answer="attend"

# %% check="attend"

# %% name="hint-halves"
wb.hint("kept")

# %% [markdown]
# ### Which mask is needed?
#
# With a cache between your two halves, six positions can come one at a time, and the result should
# be that of your `MultiHeadAttention`, which gets all six at once and a causal mask.
#
# *Predict, then run.* Do we also need a causal mask when they come one at a time?

# %% name="guess-mask"
mask_needed = None  # "causal" or "none"

# %% name="one-at-a-time"
Attention = wb.use("MultiHeadAttention")
Cache, kept_of, ask = wb.use("KeyValueCache", "keys_and_values", "attend")
# name_parts adds the names that this lesson asks for, where your parts have others.
attention = wb.speed.name_parts(Attention(16, 2), 2, 0.1).eval()
cache, x, found = Cache(max_len=6), torch.randn(1, 6, 16), []
with torch.no_grad():
    at_once = attention(x, x, x, causal_mask(6))
    keys, values = kept_of(attention, x)
    for t in range(6):  # a position asks as soon as its own key and value are in the cache
        seen = cache.append(keys[:, :, t : t + 1], values[:, :, t : t + 1])
        found.append(ask(attention, x[:, t : t + 1], *seen))
print(f"largest difference: {(torch.cat(found, dim=1) - at_once).abs().max():.1e}")
wb.reveal(mask_needed)

# %% [markdown]
# We passed no mask, and yet the results are the same, because when a position asks, later ones
# aren't in the cache yet. We computed six keys, where without a cache there would have been
# $1 + 2 + \dots + 6 = 21$.
#
# ## Your turn: a layer with a cache
#
# We have the cache and the two halves, and still need a layer, the decoder and the loop. Your
# `DecoderLayer` calls its three sublayers by itself, and passes no cache on. `cached_layer` calls
# the same sublayers, with the same norms and weights, but it puts a cache between the two halves of
# self-attention. Cross-attention needs no cache that grows, since its keys and values are computed
# only once, from the encoder's memory. In `cached_layer`, `memory` is this pair, and no longer the
# encoder's output. (For the layers of lesson 14, which have no cross-attention, it is None.)
#
# In `cached_layer`, we've written the line that makes `rows`, which beams need. In a beam, each of
# the N sources has B rows, one after the other, and all B ask the same memory. With 2 sources and a
# beam of 3, we reshape the rows from `(6, 1, D)` to `(2, 3, D)` before they ask, as if the three
# rows of a source were three positions of one sentence:
#
# | row of `(6, 1, D)` | 0 | 1 | 2 | 3 | 4 | 5 |
# |---|---|---|---|---|---|---|
# | memory that it asks | 0 | 0 | 0 | 1 | 1 | 1 |
# | its place in `(2, 3, D)` | 0, 0 | 0, 1 | 0, 2 | 1, 0 | 1, 1 | 1, 2 |
#
# So the rows of a source share its memory, and we need no copies.
#
# <details><summary>The fine print</summary>
#
# - The parts of a layer are called as in lesson 07: `self_attn`, `cross_attn`, `feed_forward` and
#   `sublayers`.
#
# </details>

# %% answer="cached_layer"

# %% check="cached_layer"

# %% name="hint-layer"
wb.hint("remembered")

# %% [markdown]
# ## Your turn: the decoder, step by step
#
# `CachedDecoder` has a cache for each layer. At each step it is given all ids so far, reads the
# newest one alone, and returns the log-probabilities of the next id. Two things need care. The
# newest token stands at the end, and not at position 0, so we pass its position as `start` (lesson
# 05). And although there is no future to hide, there may be padding, which a model can write like
# any other token. Since `greedy_decode` hides it, we hide it, too.
#
# <details><summary>The fine print</summary>
#
# - `tgt_embed` holds the tokens' embedding and the positions, in this order, as in lesson 08.
#
# </details>

# %% answer="CachedDecoder"

# %% check="CachedDecoder"

# %% name="hint-decoder"
wb.hint("tgt_mask")

# %% [markdown]
# ## Your turn: greedy decoding with it
#
# We still need the loop. It writes the same ids as lesson 10's, and stops as soon as all rows have
# ended. Until then, rows that have ended read padding.
#
# <details><summary>The fine print</summary>
#
# - Only `eos_id` ends a row, as in lesson 10.
# - The model is left in its mode even if something goes wrong (that is what `finally` is for).
#
# </details>

# %% answer="cached_greedy_decode"

# %% check="cached_greedy_decode"

# %% name="hint-greedy"
wb.hint("decoder")

# %% [markdown]
# ## Beam search
#
# We have written the beam search for you, in the folded cell below. It finds the same as lesson
# 10's `beam_search`. Some lines differ because it looks only at the best few continuations of each
# prefix, but only the three with `decoder` are there for the cache. The first makes a
# `CachedDecoder`, the second asks it at each step, and the third gives every prefix the past of its
# parent (lesson 10).
#
# Parents are counted within a source, and the rows of a cache in the whole batch. With a beam of 3,
# the rows of the second source begin at 3, which is its `first`, and the past of a parent lies in
# row `first + parent`:

# %% name="beam-drawn"
wb.show.cache("beam")

# %% [markdown]
# Two rows continue "the cat", so both get its keys and values, while those of "the kitten", which
# no row continues, are lost.

# %% name="beam-search"
StepByStep = wb.use("CachedDecoder")


def cached_beam_search(model, src, max_len, bos_id, eos_id, beam_size=4, length_penalty=0.6):
    """The ids that beam_search finds, (N, length), with one position a step."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            batch, minus_inf = src.size(0), float("-inf")
            decoder = StepByStep(model, src, max_len)
            first = beam_size * torch.arange(batch, device=src.device).unsqueeze(1)  # (N, 1)
            ids = src.new_full((batch, beam_size, 1), bos_id)  # (N, B, length)
            total = torch.zeros(batch, beam_size, device=src.device)
            total[:, 1:] = minus_inf
            length = src.new_zeros(batch, beam_size)
            ended = total == minus_inf
            while not (ended.all() or ids.size(2) == max_len):
                log_probs = decoder.step(ids.flatten(0, 1))  # (N*B, V)
                # Only the best few continuations of a prefix can be among the best of all.
                width = min(beam_size, log_probs.size(1))
                added, tokens = log_probs.topk(width)
                added, tokens = (best.view(*ended.shape, width) for best in (added, tokens))
                added = added.masked_fill(ended.unsqueeze(2), minus_inf)
                added[:, :, 0].masked_fill_(ended, 0.0)
                tokens = tokens.masked_fill(ended.unsqueeze(2), model.pad_id)

                totals = added + total.unsqueeze(2)  # (N, B, width)
                length = length + ~ended
                shrink = ((length + 5) / 6) ** length_penalty
                ranked = (totals / shrink.unsqueeze(2)).flatten(1)  # (N, B * width)
                best = ranked.topk(beam_size).indices  # (N, B)
                total = totals.flatten(1).gather(1, best)
                parent = best // width
                token = tokens.flatten(1).gather(1, best)

                decoder.reorder((first + parent).flatten())  # each has its parent's past
                grown = ids.gather(1, parent.unsqueeze(2).expand_as(ids))
                ids = torch.cat([grown, token.unsqueeze(2)], dim=2)
                length = length.gather(1, parent)
                ended = ended.gather(1, parent) | (token == eos_id)
    finally:
        model.train(was_training)
    longest = length[:, 0].max()
    ids = ids[:, 0, : longest + 1]  # (N, length)
    return ids


# %% [markdown]
# ## Equal, and how much faster?
#
# We compare the searches with and without a cache. The model isn't trained, but we've made it as
# sure of itself as a trained one, so that rounding can't decide between two tokens of nearly equal
# probability. Most of its 16 translations end early, but one continues until it is cut off at 32
# tokens, so the decoder runs 31 times. Without a cache it computes $1 + 2 + \dots + 31 = 496$
# positions for each row, and with one only 31.
#
# *Predict, then run.* So with a cache it computes a sixteenth of the positions. How many times as
# fast is the beam search then?

# %% name="guess-gain"
times_as_fast = None  # 1, 4 or 16

# %% name="writer"
from transformer_workbook.lessons.translation.hardware import detect

device = detect().device
V, PAD, BOS, EOS = 2000, 0, 1, 2
make_model, Fuse = wb.use("make_model", "fuse")
wb.seed_everything(0)
writer = make_model(V, V, d_model=128, num_heads=4, num_layers=2, d_ff=256)
writer = Fuse(wb.speed.name_parts(writer, 4, 0.1)).to(device).eval()
with torch.no_grad():
    writer.generator.proj.weight.mul_(30)
    writer.generator.proj.bias[PAD] = -100
    writer.generator.proj.bias[EOS] = 20
src, lengths = torch.randint(4, V, (16, 14)), torch.randint(7, 15, (16, 1))
src = src.masked_fill(torch.arange(14) >= lengths, PAD).to(device)

# %% quick="few-sentences"
src = src[:4]
compare_in_rounds = wb.speed.compare
wb.speed.compare = lambda variants, rounds: compare_in_rounds(variants, rounds=1)

# %% name="decoding"
greedy, cached_greedy = wb.use("greedy_decode", "cached_greedy_decode")
beam = wb.use("beam_search")
limits = (32, BOS, EOS)
for name, search, cached in (("greedy", greedy, cached_greedy), ("beam", beam, cached_beam_search)):
    ids, again = search(writer, src, *limits), cached(writer, src, *limits)
    print(name, "equal:", torch.equal(ids, again))
ids = cached_beam_search(writer, src, *limits, beam_size=5)
print("lengths:", sorted((ids != PAD).sum(1).tolist()))
searches = {
    "beam search of lesson 10": lambda: beam(writer, src, *limits, beam_size=5),
    "cached": lambda: cached_beam_search(writer, src, *limits, beam_size=5),
}
times = wb.speed.compare(searches, rounds=2)
times.picture("beam search of lesson 10")

# %% name="reveal-gain"
wb.reveal(times_as_fast, times.gains("beam search of lesson 10")["cached"])

# %% [markdown]
# On CPUs we measured 3 to 5 times the speed. The gain grows with the length of the translations,
# but on a GPU these few short sentences may gain nothing, or even lose.
#
# ## What takes the time now?
#
# Each step still calls the same operations, and each call has a fixed **overhead**, however little
# it has to do. That's why the search isn't 16 times as fast. It's also why, on one CPU, the cached
# search wrote a whole batch in only twice the time of a single translation.
#
# In a large model on a GPU, fewer positions save little time for another reason, since the GPU has
# to fetch each weight from its memory before it can compute with it. An H100, a large GPU, fetches
# about $3.3 \cdot 10^{12}$ bytes a second and computes about $10^{15}$ operations. A weight has 2
# bytes, and for each position it costs one multiplication and one addition. For about how many
# positions could the H100 compute with a weight in the time that it takes to fetch it?

# %% name="guess-fetch"
positions_per_fetch = None  # 1, 30 or 300

# %% name="reveal-fetch"
wb.reveal(positions_per_fetch)

# %% [markdown]
# When the model reads a source, or a text to continue (a **prompt**), all positions pass through
# each matrix at once, which is called the **prefill**. There each weight that is fetched serves all
# of them, so the GPU has much to compute.
#
# In **decoding**, each step fetches every weight for only one position of a text. So the GPU mostly
# waits for its memory, and decoding is **memory-bound**, like the sum in lesson 12. That's why
# servers decode many texts together.
#
# For a single text, the GPU could compute a few hundred old positions while it waits, so there a
# cache pays only when the text is long. With many texts, it pays sooner, but each has a cache of
# its own, which must be fetched, too. So a small cache is worth much, and lesson 15 makes it
# smaller.
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** Suppose that a source grew word by word, too. Why may keys and values of earlier
# positions be kept in the decoder, but not in the encoder? And why are the queries of earlier
# positions not kept?

# %% [markdown] rubric="1"
# 1 point: under the causal mask no earlier position sees a later one, so its vectors (and keys and
# values in every layer) stay what they are; in the encoder every position sees all others, so a new
# word changes all of them. 1 point: a query is used once, to compute its own position's output,
# which has been read off already; later positions ask with their own queries.

# %% [markdown] model="1"
# With the causal mask, no earlier position of the decoder sees a later one, so its vectors, keys
# and values stay as they are in every layer. In the encoder each position sees all others: a new
# word would change all of them. A query is used once, for the output of its own position, which has
# already been read. Later positions have queries of their own.

# %% [markdown] question="2" points="2"
# **Question 2.** On a GPU, a language model reads a prompt of 300 tokens in hardly more time than
# it takes to write one token. Why? And why does a server that writes 32 texts at once take hardly
# longer for a step than with one text?

# %% [markdown] rubric="2"
# 1 point: reading, all 300 positions pass through each matrix at once, so each weight is fetched
# from memory once for all of them; a step of writing fetches every weight for one position, and
# fetching is what takes the time. 1 point: the 32 texts share the weights that a step fetches, so
# only arithmetic is added, which is far from being used up.

# %% [markdown] model="2"
# A GPU fetches a weight from memory far more slowly than it computes with it. When the prompt is
# read, all 300 positions pass through each matrix together, so every weight is fetched once for all
# of them. A step of writing fetches the same weights for one position alone, so it takes nearly as
# long. With 32 texts, each weight that a step fetches serves all 32. There is more arithmetic, but
# the GPU had time for that while it waited.

# %% [markdown]
# ## In its place
#
# Now we give your translator of lesson 11 the caches, and the fused parts of lesson 12. (Without
# the three files that lesson 11 saved, the course's small translator of number words stands in.)

# %% name="own-translator"
import copy
from dataclasses import replace

own = wb.own_translator()
slow = own.translator
with_kernels = wb.speed.name_parts(Fuse(copy.deepcopy(slow.model)), own.num_heads, 0.0)
fast = replace(slow, model=with_kernels)
ways = {
    "as in lesson 11": lambda: slow.translate(own.sentences, beam, beam_size=5),
    "fused parts": lambda: fast.translate(own.sentences, beam, beam_size=5),
    "fused parts, and caches": lambda: fast.translate(
        own.sentences, cached_beam_search, beam_size=5
    ),
}
before, fused_only, now = (way() for way in ways.values())
for german, english in list(zip(own.sentences, now, strict=True))[:6]:
    print(german)
    print("   →", english)

# %% [markdown]
# Are all translations the same as before? We count them:

# %% name="own-equal"
for name, english in (("fused parts", fused_only), ("fused parts, and caches", now)):
    equal = sum(old == new for old, new in zip(before, english, strict=True))
    print(f"{name}: {equal} of {len(before)} translations are the same")

# %% [markdown]
# No translation should have changed, although sums in a different order are rounded differently, in
# the seventh digit. And how long does each of the three ways take?

# %% name="own-gain"
times_of_own = wb.speed.compare(ways, rounds=3)
print(times_of_own)
times_of_own.picture("as in lesson 11", "Your translator, with a beam of 5")

# %% [markdown]
# With the stand-in we measured 2.8 to 4.4 times the speed on one thread. The fused parts alone gave
# 1.5 times, and longer sentences, such as those of your own translator, gain more. (If your
# `beam_search` is a stand-in, too, you'll see about 12 times, because the stand-in takes one
# sentence at a time.) It's the same model, with the same numbers, but now it reads every position
# once.

# %% name="the-whole-figure"
wb.progress()

# %% [markdown]
# This is Figure 1 once more, and what you built is lit.
#
# ## What comes after
#
# Lesson 14 keeps one half of Figure 1. We begin with a translator whose cross-attention is gone, as
# in lesson 07, where it wrote fluent English. Guess, before you open lesson 14, which words it can
# still get right.
#
# <details><summary>Which models keep which half?</summary>
#
# - **GPT** (Radford et al. 2018, section 3.1) and its successors keep the **decoder**, without
#   cross-attention. It predicts the next token of any text, and you build it in lesson 14.
# - **BERT** ([Devlin et al. 2019](https://aclanthology.org/N19-1423/), section 3.1) keeps the
#   **encoder**, with `padding_mask` alone. Some tokens of the text are hidden, and a `Generator`
#   predicts these from both sides.
# - **T5** ([Raffel et al. 2020](https://jmlr.org/papers/v21/20-074.html), section 2.1) keeps
#   **both**. It is your `Transformer`, trained to answer any task in text.
#
# </details>
