# %% [markdown]
# ## 49 of 50 for nothing
#
# To write "seven hundred twenty-five", the translator's decoder runs once for each new token, and
# reads everything from the start each time.
#
# *Predict, then run.* The decoder reads `<bos>` in its first step, and all that it has written in
# each later one. If a translation of 100 tokens takes 100 steps, how many positions does the
# decoder compute in all of them together?

# %% name="guess-positions"
positions_of_100 = None

# %% name="without-a-cache"
for length in (5, 20, 100):
    read = sum(range(1, length + 1))
    print(f"{length:3} tokens: {read:5} positions computed, {length} of them new")

# %% name="reveal-positions"
wb.reveal(positions_of_100)

# %% [markdown]
# At 100 tokens, 49 of 50 positions are computed for nothing, because they come out as they did
# before. If we let the decoder remember them, it writes the same translations with far less work.
#
# ## What you will be able to do
#
# - say which keys and values may be kept from step to step, and why,
# - decode with a cache of them, one position at each step, greedily and with a beam,
# - cut an attention in two halves, at the place where a cache belongs,
# - say why writing a text waits for memory, while reading one does not.
#
# It takes about 65 minutes. At the end, your own translator of lesson 11 writes with caches.
#
# *Where it sits.* We won't find this lesson in Figure 1 either, since a cache changes neither the
# figure nor a prediction. The map shows its parts at the side.

# %% name="where-it-sits"
wb.progress(current=["CachedDecoder"])

# %% name="setup"
split_heads, merge_heads = wb.use("split_heads", "merge_heads")
padding_mask, target_mask = wb.use("padding_mask", "target_mask")

# %% [markdown]
# ## The past does not change
#
# `greedy_decode` reads all that it has written again for each new token. But a new token looks at
# earlier positions only through their keys and values, and those don't change, because no earlier
# position sees a later one. So we can keep them in a **cache**. Here we see how the cache of a
# decoder layer fills for one sentence, step by step:

# %% name="cache-drawn"
wb.show.cache()

# %% [markdown]
# Each step reads one token, so self-attention adds one new key and value to those that it has kept.
# Cross-attention computes its own before the first step, since the memory doesn't change.
#
# ## Your turn: a cache
#
# We could put each new key behind the others with `torch.cat`, but that copies all of them at every
# step. Since we know how long a translation can get, we make room for `max_len` positions at once,
# and write each new key into the next free place. So a `KeyValueCache` holds two tensors, `(N, H,
# max_len, d_k)`, and a `length`, the number of places that are taken. It makes the tensors when the
# first keys come, which show all of their other sizes, and a prompt may bring several positions in
# one call.
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
# <details><summary>The fine print</summary>
#
# - Both take an attention of your model, fused or not, and use its `w_q`, `w_k`, `w_v`, `w_o` and
#   `num_heads`. Nothing in it changes.
# - In decoding nothing is dropped, whatever mode the attention is in.
#
# </details>

# %% answer="keys_and_values"

# %% check="keys_and_values"

# %% answer="attend"

# %% check="attend"

# %% name="hint-halves"
wb.hint("kept")

# %% [markdown]
# ## Your turn: a layer with a cache
#
# Your `DecoderLayer` calls its three sublayers by itself, and passes no cache on. `cached_layer`
# calls the same sublayers, with the same norms and weights, but it puts a cache between the two
# halves of self-attention. Cross-attention needs none, since its keys and values are computed once,
# and given as `memory`.
#
# In a beam, each of the N sources has B rows, one after the other. Since their memory is the same,
# we need not copy it for each, but let all rows of one source ask it together, `(N, B, D)`, as if
# they were the positions of one sentence.
#
# An `EncoderLayer` has no memory, but with a causal mask it is a layer of GPT, so we can use this
# function in lesson 14, too.
#
# <details><summary>The fine print</summary>
#
# - The parts are called as in lesson 07: `self_attn`, `cross_attn`, `feed_forward` and `sublayers`.
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
# newest one alone, and returns the log-probabilities of the next. Two things don't come by
# themselves any more. The newest token stands at the end, and not at position 0, so we pass its
# position as `start` (lesson 05). And while we have no future to hide, there may be padding, which
# a model can write like any other token, and which `greedy_decode` hides, too.
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
# Now we can decode greedily with it. The loop writes the same ids as lesson 10's, and stops as soon
# as all rows have ended. Until the last one ends, those that have ended read padding.
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
# We have written the beam search for you, which is lesson 10's `beam_search`, changed in three
# places. It makes a `CachedDecoder`, asks that at each step, and then lets every prefix continue
# with the past of its *parent*, which is row `first + parent` of the batch.

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
# We compare both searches on a model that isn't trained, but that we've made as sure of itself as a
# trained one. Some of its 16 translations end early, at several lengths, while the others never end
# and are cut off at 32 tokens.

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
wb.speed.compare(searches, rounds=2).picture("beam search of lesson 10")

# %% [markdown]
# On a CPU the gain grows with the length of the translations, but on a GPU these few short
# sentences may gain nothing, or even lose.
#
# ## Reading is fast, writing waits
#
# How can a GPU do so much less work and not be faster? When a model reads a source or a prompt,
# which we call the **prefill**, all positions pass through each matrix at once, while in
# **decoding** each step brings one position a row, and still needs every weight from memory. In the
# time in which an H100 fetches a weight of 2 bytes, it could compute with it for about 300
# positions. So we say that decoding is **bound by memory**, and the positions that a cache saves
# would have taken little longer in the same step. (A model as small as ours mostly waits for Python
# to start its kernels, and the cache adds some.) This is why servers decode many texts together,
# and why a small cache is worth so much (lesson 15).
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** Why may keys and values of earlier positions be kept in the decoder, but not in
# the encoder, if a source grew word by word? And why are the queries of earlier positions not kept?

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
# Now we give your translator of lesson 11 the caches, and the fused parts of lesson 12. (If the
# three files of lesson 11 are not here, the course's small translator of number words stands in.
# Its sentences are shorter, so it gains less.)

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
# (A sum in a different order is rounded differently, in the seventh digit. If two translations are
# that close to each other, one may change, but none should here.) And how long does each of the
# three ways take?

# %% name="own-gain"
times_of_own = wb.speed.compare(ways, rounds=3)
print(times_of_own)
times_of_own.picture("as in lesson 11", "Your translator, with a beam of 5")

# %% [markdown]
# With the stand-in we measured 2.8 to 4.3 times the speed on one thread, and 1.5 times with fused
# parts alone, and longer sentences gain more. (If your `beam_search` is a stand-in, too, you'll see
# about 12 times, because that one takes one sentence at a time.) It's the same model, with the same
# numbers, but now it reads every position once.

# %% name="the-whole-figure"
wb.progress()

# %% [markdown]
# That is Figure 1, and you know every box of it, with those that you built lit.
#
# ## What comes after
#
# The models that you read about are built from these boxes, and most keep one half:
#
# - **GPT** (Radford et al. 2018, section 3.1) and its successors keep the **decoder**, without
#   cross-attention. It predicts the next token of any text. You build it in lesson 14.
# - **BERT** ([Devlin et al. 2019](https://aclanthology.org/N19-1423/)) keeps the **encoder**, with
#   `padding_mask` alone. Some tokens of the text are hidden, and a `Generator` predicts them from
#   both sides; the loss counts these positions only (section 3.1).
# - **T5** ([Raffel et al. 2020](https://jmlr.org/papers/v21/20-074.html)) keeps **both**. It is
#   your `Transformer`, trained to answer any task in text. Positions enter as a number that is
#   added to each score, one for each small distance and one for each range of larger ones (section
#   2.1).
#
# The other changes are smaller than they sound, and you build them in lesson 15. But the models
# have grown, so that GPT-3 ([Brown et al. 2020](https://arxiv.org/abs/2005.14165), Table 2.1) has
# 96 layers with 96 heads and a `d_model` of 12,288, which are other numbers for arguments that you
# know. In lesson 14 we train a small model of its kind in half a minute to four minutes, but we
# begin with a translator whose cross-attention is gone. Guess, before you open it, which words that
# translator can still get right.
