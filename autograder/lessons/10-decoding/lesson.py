# %% [markdown]
# ## A probability is no translation
#
# Ask the model itself about "siebenhundertfünfundzwanzig", and you get no translation. It takes the
# beginning of one, a **prefix**, and gives a probability to every word that could come *next*. The
# last two prefixes below are wrong. Before you run the cell, guess which word the model thinks the
# likeliest after "five", and then try other prefixes, too.

# %% name="without-decoding"
for so_far in ("", "seven", "seven hundred", "five", "five hundred"):
    print(f"{so_far or '(nothing yet)'}:", wb.translator.next_words(725, so_far))

# %% [markdown]
# Given a correct prefix, it continues correctly. Given a wrong one, it makes the best of it and is
# just as sure of itself. (It gives "hundred" the same 0.9198 after "five" as after "seven", so here
# it goes by the position and hardly by the word that stands there.) Since it never goes back to
# change a word, a bad choice early on can't be undone later. To get a translation we need a loop
# around the model, which asks it again and again, chooses a word each time, and knows when to stop.
# We call that loop **decoding**.
#
# ## What you will be able to do
#
# - let a trained model write the likeliest next token, again and again, for a whole batch at once
#   (greedy decoding),
# - say why that is short-sighted, and write a beam search with a length penalty, which looks
#   further (section 6.1 of [Attention Is All You Need](https://arxiv.org/abs/1706.03762)),
# - read cross-attention as an alignment, which says at which source words the model looks for each
#   word that it writes,
# - say why the words of a story are drawn at random, and from which part of the vocabulary (nucleus
#   sampling).
#
# It takes about 90 minutes.
#
# *Where it sits.* Figure 1 doesn't change any more, and the box that we outline below uses the
# model from outside.

# %% quick="training"
import dataclasses

# As many steps of a quarter of the size, and one epoch of twelve.
small, all_of_it = wb.number_words, wb.number_words.splits
small.LESSON = dataclasses.replace(small.LESSON, train=1600, epochs=1, batch_size=16)
small.Batches.__init__.__defaults__ = (16, 0, None)
small.splits = lambda train, validation, test, seed=0: all_of_it(
    min(train, 1600), min(validation, 60), min(test, 60), seed
)

# %% name="where-it-sits"
wb.progress(current=["greedy_decode", "beam_search"])

# %% [markdown]
# ## Writing, one token at a time
#
# In training the decoder read the right translation, but now we don't have one, so it reads the
# words that it has written itself. It begins with `<bos>` alone and predicts how likely each token
# is as the first one. We choose one, put it after `<bos>`, and ask again, until the token that we
# choose is `<eos>` and the translation is complete. The paper calls this **auto-regressive**
# (section 3), and if we always choose the likeliest token, we call it **greedy decoding**.
#
# *By hand.* A model translates "siebenhundertfünf". At each step it reads one token more, the one
# that was the likeliest before. Before you run the cell, write down what the decoder reads at the
# third step.

# %% name="decoder-loop"
wb.show.decoder_loop()

# %% [markdown]
# At each step the decoder predicts something at *every* position, but only its prediction at the
# last one is new. (We compute the earlier positions all the same, because the layers above the
# first read them.)
#
# ### Many sentences at once
#
# The rows of a batch end at different times. A row that has ended waits for the others, and we fill
# it up with padding:
#
# | | | | | | | |
# |---|---|---|---|---|---|---|
# | row 0 | `<bos>` | `seven` | `<eos>` | `<pad>` | `<pad>` | `<pad>` |
# | row 1 | `<bos>` | `seven` | `thousand` | `two` | `hundred` | `<eos>` |
#
# We stop the loop when every row has ended, or when the rows are `max_len` long (`<bos>` counts),
# because a model may also never stop.
#
# *Predict, then run.* How often do the encoder and the decoder have to run for this batch of two
# rows?

# %% name="guess-calls"
encoder_calls = None
decoder_calls = None

# %% name="reveal-calls"
wb.reveal(encoder_calls)
wb.reveal(decoder_calls)

# %% [markdown]
# The source stays the same at every step, so we read it once. The longer row has five new tokens,
# so we need five passes through the decoder, and each reads everything from the start. (With the
# **KV cache** of lesson 13, we'll read each position only once.)
#
# ## Your turn: greedy_decode
#
# Fill the five blanks in the loop, where `ended` tells which rows have ended, and leave the rest as
# it is.
#
# <details><summary>The fine print</summary>
#
# - The model decodes in eval mode and without gradients, and at the end it is back in the mode that
#   it was in, since someone may be in the middle of training it.
# - The source is read once, all rows together.
# - Every new tensor is made on the device that `src` is on, so that a model on a GPU can read it.
# - Every row begins with `bos_id`, and only `eos_id` ends it. If a model writes padding before its
#   `<eos>`, the row continues, and later tokens don't see that padding, as in training. The loop
#   stops as soon as all rows have ended.
# - The check uses a model whose answers stand in a table, called `script`, so that the right result
#   is known.
#
# </details>

# %% name="setup"
padding_mask, target_mask = wb.use("padding_mask", "target_mask")

# %% answer="greedy_decode"

# %% check="greedy_decode"

# %% [markdown]
# Stuck? The blanks are called `going`, `likeliest`, `padded`, `grown` and `ended`.

# %% name="hint-greedy"
wb.hint("going")

# %% [markdown]
# | section 3: "consuming the previously generated symbols as additional input" | your code |
# |---|---|
# | "generating the next" | the blank `likeliest` |
# | "as additional input" | the blank `grown` |
# | (not in the paper, since it concerns batches) | the blanks `going`, `padded`, `ended` |
#
# ## Let it write
#
# We need the model of lesson 09, so we load the weights that you saved there. If there are none, or
# if your model is built differently by now, we train a new one, which takes half a minute to four
# minutes.

# %% name="model"
from pathlib import Path

make_model, greedy = wb.use("make_model", "greedy_decode")
words = wb.number_words
setting, numbers = words.LESSON, words.LESSON.splits()
wb.seed_everything(0)
model = make_model(len(words.GERMAN), len(words.ENGLISH), **setting.sizes)


def load_or_train(model):
    for folder in (".", "../09-training"):
        try:
            return wb.load_weights(model, Path(folder, "number_words.safetensors"))
        except (OSError, ValueError):  # it is not there, or belongs to another model
            continue
    train_step, evaluate, rate, criterion = wb.use(
        "train_step", "evaluate", "noam_lr", "LabelSmoothing"
    )
    return wb.fit(
        model,
        words.Batches(numbers.train, setting.batch_size),
        epochs=setting.epochs,
        train_step=train_step,
        loss_fn=criterion(len(words.ENGLISH), words.PAD, setting.smoothing),
        noam_lr=rate,
        evaluate=evaluate,
        validation=list(words.Batches(numbers.validation)),
        warmup=setting.warmup,
        factor=setting.factor,
    )


load_or_train(model)
for number in numbers.test[:6]:
    print(words.german(number))
    print("   →", words.translate(model, number, greedy))

# %% [markdown]
# Does it matter what else is in the batch? We translate a short number alone, and then beside a
# long one, so that it gets padding:

# %% name="padding-does-not-matter"
short, long = words.pair(7)[0], words.pair(99999)[0]
alone = greedy(model, words.pad([short]), words.MAX_LEN, words.BOS, words.EOS)
beside = greedy(model, words.pad([short, long]), words.MAX_LEN, words.BOS, words.EOS)
print(alone[0].tolist())
print(beside[0].tolist())

# %% [markdown]
# Beside the long number we get the same tokens, with padding after them, so the masks work.
#
# ### Four kinds of "fünf"
#
# Before we watch where the model looks, we should know what it finds there. Since "fünf" is the
# first piece of 5, 50, 500 and 5000, we find the same vector four times at the bottom of the model.
# After the encoder, we measure how alike two of them are by their **cosine similarity**, which is 1
# for vectors of the same direction. To compare, we add the first vectors of 7 and 9. How low does
# the similarity get among the four?

# %% name="guess-alike"
lowest_of_four = None  # 0, 0.4 or 0.8

# %% name="one-piece-four-vectors"
cases = [5, 50, 500, 5000, 7, 9]
src = words.pad([words.pair(number)[0] for number in cases])
with torch.no_grad():
    bottom = model.eval().src_embed(src)[:, 0]
    top = model.encode(src, padding_mask(src, words.PAD))[:, 0]
largest = (bottom[:4] - bottom[0]).abs().max().item()
print('before the encoder, largest difference of the four "fünf":', largest)
alike = F.cosine_similarity(top[:, None], top[None], dim=-1)
wb.reveal(lowest_of_four, alike[:4, :4].min())
labels = [str(number) for number in cases]
wb.show.heat_map(
    alike,
    labels,
    labels,
    title="How alike the first vectors of six numbers are, after the encoder",
    row_axis="number",
    column_axis="number",
)

# %% [markdown]
# Before the encoder the four don't differ, because all of them are the same row of the table, at
# the same position. After it, any two of them still had a similarity of about 0.7 or more in our
# trainings, while their similarity with the other two numbers was always lower. So they are alike,
# but no longer the same, because each "fünf" has looked at what follows it. While a table gives us
# one vector for a piece, an encoder gives us one for a piece *in its sentence*, a **contextual
# embedding**. (Your numbers may differ, since the loss only asks for the right words.)
#
# ## Where does it look?
#
# Before it writes each word, the model looks at the source with the cross-attention of lesson 07.
# Each row of its weights belongs to one written word and sums to 1. If we read the weights as a
# picture, we get an **alignment**, which says from which source word each target word comes.
#
# German says the units *before* the tens, so 725 is "sieben-hundert-**fünf**-und-**zwan-zig**", in
# English "seven hundred **twenty**-**five**". What do you expect the picture to look like for these
# two words?

# %% name="alignment"
wb.alignment(model, 725, greedy)

# %% [markdown]
# Rows are the English words, columns the German pieces, and a ring marks the strongest weight of
# each row. From top to bottom the rings move to the right, as long as both languages go the same
# way. Then they **cross**, since at "twenty" the model looks to the right of "fünf", and only at
# "five" does it go back to it. We never told the model about word order, but it has found out,
# because that lowers the loss.
#
# Is the ring of "twenty" at "zwan" or "zig", or at the "und" before them, which English doesn't
# say? Models differ in this, since the vector under "und" is no longer that of the word alone. It
# has gathered from its neighbors in the encoder, so it may tell of "zwan-zig", too.
#
# (We've averaged the weights over the heads. A single head may show something else, and a model can
# also carry information in ways that no picture of weights shows.)
#
# Try a number with two crossings (21021), and one with a "-zehn" (715). Try 0, too, whose word
# occurs in only one of the 8000 pairs, so that many models write nothing for it.

# %% name="number-explorer"
wb.number_explorer(model, greedy)

# %% [markdown]
# ## Is the likeliest word enough?
#
# So far we've taken the likeliest word each time. Does it always begin the likeliest sentence?
#
# *By hand.* We take these probabilities of two words in a row:
#
# | first word | | then | | whole |
# |---|---|---|---|---|
# | `a` | 0.5 | `dog` | 0.4 | 0.20 |
# | `a` | 0.5 | `cat` | 0.35 | 0.175 |
# | `the` | 0.4 | `cat` | 0.9 | ? |
# | `the` | 0.4 | `dog` | 0.05 | 0.02 |
#
# (A third first word, `one`, has the remaining 0.1.)
#
# *Predict, then run.* Which sentence does greedy decoding write, and which is the likeliest?

# %% name="guess-greedy"
greedy_writes = None  # for instance "the dog"
likeliest = None

# %% name="reveal-greedy"
wb.reveal(greedy_writes)
wb.reveal(likeliest)


def node(id, parent, token, probability, kept=True):
    log_prob = math.log(probability)
    return {"id": id, "parent": parent, "token": token, "log_prob": log_prob, "kept": kept}


wb.show.tree(
    [
        node(0, None, "<bos>", 1.0),
        node(1, 0, "a", 0.5),
        node(2, 0, "the", 0.4),
        node(3, 0, "one", 0.1, kept=False),
        node(4, 1, "dog", 0.5 * 0.4),
        node(5, 1, "cat", 0.5 * 0.35, kept=False),
        node(6, 2, "cat", 0.4 * 0.9),
        node(7, 2, "dog", 0.4 * 0.05, kept=False),
    ],
    title="A search that keeps the two best at each step (ranked by log-probability)",
)

# %% [markdown]
# Probabilities multiply along the way, so a good start may lead to a bad end. The boxes show
# logarithms, so the 0.36 of "the cat" becomes -1.02. As in lesson 08 we add them, since the
# log-probability of a sentence is the **sum** of those of its tokens.
#
# Why not look at all sentences? Even our small English vocabulary makes over a million sentences of
# four tokens, so we settle for a compromise, **beam search**. It keeps not one prefix but the
# `beam_size` best (2 in the picture), continues each with every token, and keeps the best of *all*
# these continuations.
#
# <details><summary>Could we save the log-softmax, and add up the logits?</summary>
#
# Within one prefix, logits and log-probabilities put the tokens in the same order, but between
# prefixes they may not, as these two show:
#
# | | logits | log-probabilities |
# |---|---|---|
# | prefix A | 7, 5 | -0.13, -2.13 |
# | prefix B | 2, -2 | -0.02, -4.02 |
#
# By the logits A has the better continuation, 7 against 2, but by the log-probabilities B has it. A
# model may add any number to all logits of a position without changing its probabilities (lesson
# 08), so we can't compare a logit with those of another prefix.
#
# </details>
#
# ## How do we find the best continuations?
#
# For one sentence we have B prefixes, where B is `beam_size`, and each has V continuations. All of
# them compete with one another, so we put them into one row, first the V continuations of prefix 0,
# then those of prefix 1, and so on. There we look for the places of the B best (`topk` returns the
# values and the places). A place tells *whose* continuation it is, and *which token* it adds. With
# $V = 10$, for example, place 37 belongs to prefix 3 and adds token 7.
#
# *By hand.* We take one step, for one sentence, with a beam of 2 and the three tokens `<pad>`,
# `<eos>` and `one`. Prefix 0 has a total log-probability of -0.5. Prefix 1, with a total of -0.9,
# has ended, so only padding may follow, at no cost.
#
# | | `<pad>` | `<eos>` | `one` |
# |---|---|---|---|
# | log-probabilities after prefix 0 | -5 | -0.6 | -0.8 |
# | log-probabilities after prefix 1 | 0 | $-\infty$ | $-\infty$ |
# | totals of prefix 0 | -5.5 | -1.1 | -1.3 |
# | totals of prefix 1 | -0.9 | $-\infty$ | $-\infty$ |
#
# Which two of the six totals does the beam keep, and in which places of the one row do they stand?
# Decide before you run the cell, which draws the step.

# %% name="beam-step"
wb.show.beam_step()

# %% [markdown]
# In the one row, the totals of prefix 1 follow those of prefix 0, so the best total stands at place
# 3 and the next one at place 1. The best adds `<pad>` to prefix 1, while the next one adds `<eos>`
# to prefix 0. So the two prefixes swap rows, and everything that we keep for them has to follow.
#
# The prefix that a new row continues is its **parent**. Since both new rows have ended, only
# padding can follow from here on, which adds nothing to their length.
#
# The first step is special, because all prefixes are the same then, `<bos>` alone. If we let all of
# them grow, we'd fill the beam with copies. So only prefix 0 begins with a total of 0, while the
# others begin with $-\infty$ and count as ended, so that they can't grow. Any continuation of
# prefix 0 beats these, so after the first step the copies are gone.
#
# ## The length penalty
#
# May we compare these totals? Every token costs something, since its log-probability is negative,
# so short translations have an unfair advantage. Section 6.1 therefore ranks by a **score**, the
# total divided by the **length penalty** of [Wu et al. 2016](https://arxiv.org/abs/1609.08144)
# (their Eq. 14), with $\alpha = 0.6$:
#
# $$\mathrm{score}(Y) = \frac{\log P(Y \mid X)}{lp(Y)}, \qquad
# lp(Y) = \left(\frac{5 + |Y|}{5 + 1}\right)^{\alpha}$$
#
# $|Y|$ is the number of tokens, with `<eos>` and without `<bos>`. The totals are negative, so
# dividing by more brings them nearer to 0, and the "penalty" helps the long translations.
#
# *By hand.* We compare two translations:
#
# | translation | $\lvert Y \rvert$ | $\log P$ | $lp$ | score |
# |---|---|---|---|---|
# | short | 2 | -1.00 | $(7/6)^{0.6} = 1.097$ | -0.912 |
# | long | 6 | -1.20 | $(11/6)^{0.6} = 1.439$ | -0.834 |
#
# By its probability the short one wins, but by its score the long one does. With $\alpha = 0$ we
# divide by 1, so only the probability counts.
#
# We rank by the score at every step, and not only at the end. (In the step that we took by hand,
# the beam keeps the same two.) A translation that has ended stays in the beam, where its length no
# longer grows, and we compare it with all others. At `max_len`, those that haven't ended compete
# with their scores so far.
#
# ## Your turn: beam_search
#
# `total` holds the log-probability of each prefix, and `length` how long it is, both `(N, B)`.
# Where you use it, `length` already counts the new token. All prefixes of all sentences go through
# the decoder as one batch of `N * B` rows. In the given lines, `gather(1, best)` reads from each
# row the numbers at the places in `best`, so from the row 5, 6, 7 and the place 2 it reads the 7.
# You fill the five blanks, where the search decides.
#
# <details><summary>The fine print</summary>
#
# The form of the result, the device of new tensors and the model's mode afterwards are as in
# `greedy_decode`.
#
# </details>

# %% answer="beam_search"

# %% check="beam_search"

# %% [markdown]
# Stuck? The blanks are called `totals`, `penalty`, `best`, `parent` and `next_token`.

# %% name="hint-beam"
wb.hint("totals")

# %% [markdown]
# | beam search, with Eq. 14 of Wu et al. 2016 | your code |
# |---|---|
# | $\log P(Y \mid X)$, a sum | the blank `totals` |
# | $lp(Y)$ | the blank `penalty` |
# | the best of all continuations | the blank `best` |
# | whose it is, and which token it adds | the blanks `parent` and `next_token` |
#
# ## What does the beam keep?
#
# We search for the translation of 21, with a beam of 3. In the tree, kept continuations have a
# heavy outline, and a cross marks those that were dropped. (Since we draw only the best of the
# dropped ones, nothing may follow a kept one. One that has ended may still be pushed out by better
# ones later.) Will another prefix come near the best?

# %% name="beam-tree"
search = wb.use("beam_search")
src = words.pad([words.pair(21)[0]])
print("the search returns:", words.translate(model, 21, search, beam_size=3))
nodes = wb.beam_tree(model, src, words.ENGLISH.tokens, beam_size=3)
wb.show.tree(nodes, title="einundzwanzig, with a beam of 3 (ranked by score)")

# %% [markdown]
# The number in a box is the score by which the search ranks the prefixes, the log-probability
# divided by the length penalty. Along a branch the log-probability only falls, but the score may
# rise, since the divisor grows with the length. (We round the numbers, so of two that look equal
# one is still a little better.)
#
# The model is sure of itself, so one branch is by far the best, and all others just fill the beam.
# Here beam search finds the same translation as greedy decoding, so to see a difference we need a
# model that is less sure.
#
# We make one by adding noise to the weights. For each of 300 numbers, we ask which translation the
# *model* thinks likelier, the greedy one or that of a beam of 4, with `length_penalty=0`, so that
# only probability counts. For how many will the beam find a likelier one, and how many more will be
# right? (The cell takes 5 to 30 seconds, and you needn't read the code.)

# %% name="noisy-model"
import copy

wb.seed_everything(1)
unsure = copy.deepcopy(model).eval()
with torch.no_grad():
    for parameter in unsure.parameters():
        parameter.add_(0.55 * parameter.std(unbiased=False) * torch.randn_like(parameter))
some = numbers.test[:300]
src = words.pad([words.pair(number)[0] for number in some])


@torch.no_grad()
def log_prob(which, ids):
    """How likely the model thinks each of its translations is, as a logarithm, (N,)."""
    said = which(src, ids[:, :-1]).log_softmax(dim=-1)
    tokens = said.gather(2, ids[:, 1:, None]).squeeze(2)
    return torch.where(ids[:, 1:] == words.PAD, 0.0, tokens).sum(dim=1)


for name, which in (("trained model", model.eval()), ("noisy model", unsure)):
    limits = (words.MAX_LEN, words.BOS, words.EOS)
    one = log_prob(which, greedy(which, src, *limits))
    other = log_prob(which, search(which, src, *limits, beam_size=4, length_penalty=0.0))
    better, worse = (other > one + 1e-4).sum().item(), (one > other + 1e-4).sum().item()
    print(f"{name}: the beam's is likelier {better} times, greedy's {worse} times")
    right = words.exact_match(which, some, greedy)
    found = words.exact_match(which, some, search, beam_size=4, length_penalty=0.0)
    print(f"    right: greedy {right:.1%}, beam {found:.1%}")

# %% [markdown]
# For the trained model the beam makes no difference. For the unsure one, when we ran it, the beam
# found something likelier 58 times, yet only one more translation was *right*, and with other noise
# fewer may be right than with greedy decoding. **A search finds what the model thinks likely; it
# cannot fix a model that is wrong.** In real translation a beam may be worth a point or two of
# **BLEU**, the score from 0 to 100 that you'll measure in lesson 11, but it costs as much as
# decoding `beam_size` sentences in place of one.
#
# ## What if we don't want the likeliest?
#
# Can these searches write a story, too? Both look for the likeliest sentence, and even in
# translation the very likeliest is often not what we want. For more than half of the sentences in a
# test set, a model thought the empty translation the likeliest of all ([Stahlberg and Byrne
# 2019](https://arxiv.org/abs/1908.10090), abstract). A small beam works because it doesn't find
# that one, and in a story, the likeliest word every time is dull. So in lesson 14, where a model
# writes stories, we **sample** its words, which means that we draw them at random, but preferably
# not from the long tail of unlikely ones.
#
# The **temperature** of lesson 01, by which we divide the logits, doesn't cut that tail off.
# Towards 0 it leads us back to greedy decoding, and the higher it is, the more equal the
# probabilities become. Yet at every temperature each unlikely word keeps a little, and thousands of
# littles add up to a lot.
#
# So **nucleus sampling** ([Holtzman et al. 2020](https://arxiv.org/abs/1904.09751)) keeps only as
# many of the likeliest tokens as together have at least a given share of the probability, and
# scales these up to sum to 1. With a share of 0.6, we keep two of these tokens:
#
# | probability | 0.2 | 0.5 | 0.3 |
# |---|---|---|---|
# | kept and scaled | 0 | 0.625 | 0.375 |
#
# ## Bug hunt
#
# The function below should keep and scale tokens in this way. It first sorts each row, and `order`
# says at which place each number stood. Two calls use such places. `gather` *reads* from them, as
# in `beam_search`, and `scatter` *writes* to them, here into a tensor of zeros:
#
# | `order` | 2, 0, 1 |
# |---|---|
# | `row` | 5, 6, 7 |
# | `row.gather(-1, order)` | 7, 5, 6 |
# | `zeros.scatter(-1, order, row)` | 6, 7, 5 |
#
# The function runs, but there are **two bugs** in it for you to find and fix.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** In training one pass through the decoder is enough for a whole sentence. Why does
# decoding need one pass for each token? And in decoding there is no future yet, so why must a model
# of two or more layers keep its mask all the same?

# %% [markdown] rubric="1"
# 1 point: each token has to be read before the next one can be predicted, and it is only known once
# it has been chosen; in training the right ones were known beforehand. 1 point: without the mask
# the earlier positions would see the later ones (those already written) and get other vectors than
# in training, where they never did; the last position reads these vectors in every layer above the
# first, so its prediction changes. (With one layer, as in this lesson, it does not change.)

# %% [markdown] model="1"
# The decoder has to read a token before it can predict the next one, and in decoding that token is
# known only once it has been chosen. In training all of them were known. The mask still matters
# because earlier positions would otherwise see the tokens written after them, and get other vectors
# than in training. The last position reads these vectors in every layer above the first, so its
# prediction would change.

# %% [markdown] question="2" points="2"
# **Question 2.** Someone uses beam search without a length penalty and finds that a wider beam
# makes the translations shorter and worse. Explain how that can be, although a wider beam finds
# sentences that are more probable.

# %% [markdown] rubric="2"
# 1 point: each token has a negative log-probability, so short sentences (down to an immediate
# <eos>) have a larger sum; a wider beam keeps such early ends, which a narrow one had dropped, and
# they win. 1 point: more probable under the model is not the same as better: the model is not
# perfect, and a search only maximizes what it is given; the penalty corrects the comparison between
# lengths.

# %% [markdown] model="2"
# Every token adds a negative log-probability, so a short sentence has a larger sum than a long one.
# A wide beam keeps prefixes that end early, which a narrow one drops, and at the end they win. The
# search did find a more probable sentence, but the model's probabilities are not a measure of
# quality, and they favor short sentences. The length penalty makes lengths comparable.

# %% [markdown]
# ## In its place
#
# You've come all the way from the dot product of lesson 01 to a model of your own parts that reads
# one language, writes another, and shows where it looks. We run the translator of lesson 00, with
# your loop in place of its own:

# %% name="with-yours"
wb.translator.with_yours("greedy_decode", sentences=(7, 725, 24687))

# %% [markdown]
# It was a small language, but in lesson 11 we take a real one, **German to English** on a GPU, with
# a vocabulary of sub-words, thirty thousand sentences, and the score that translations are measured
# by. There we begin by asking the translator about "zwei hunde laufen durch den schnee", two dogs
# that run through the snow. Guess how many of these six words it knows.

# %% name="progress"
wb.progress()
