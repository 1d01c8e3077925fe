# %% [markdown]
# ## Every word averaged
#
# In the translator of lesson 00, each word chooses where to look. Here we take that choice away, so
# that every word looks at all words alike and gets the plain average of the sentence. Can the
# translator still tell 892 from 298?

# %% name="without-attention"
wb.translator.compare(892, 298, 400005, without="attention")

# %% [markdown]
# No, it gives both the same answer, because both have the same pieces, and their averages keep only
# a trace of the order. For 400005 it only repeats "four". Once we have mixed a sentence into one
# vector, we can't take it apart again.
#
# ## One vector for a whole sentence
#
# The neural translators of 2014 ([Sutskever et al.](https://arxiv.org/abs/1409.3215), section 2)
# mixed their sentences, too. They were **recurrent** networks, which read the source word by word
# and changed one vector, the **hidden state**, at each word, until that vector was all that was
# left of the sentence. The vector has a fixed length. A sentence does not.
#
# To see how narrow this **bottleneck** is, we train two recurrent networks, from the same start, to
# copy a list of 1 to 16 digits. One has only its vector of 32 numbers, while the other may also
# look back at what it stored after each digit. At which length will the first one begin to make
# mistakes? (The training takes between ten seconds and two minutes.)

# %% quick="few-steps"
import functools

wb.translator.bottleneck = functools.partial(wb.translator.bottleneck, steps=20)

# %% name="bottleneck"
wb.show.curves(
    wb.translator.bottleneck(),
    title="Digits written correctly, by the length of the list",
    x_label="digits in the list",
    y_label="share that is right",
)

# %% [markdown]
# The first mistakes come at three digits. Lists of up to four digits still go fairly well, but from
# five on, each further digit pushes others out, and at 16 we've lost about half of the list. (The
# vertical axis begins at about 0.45, not 0.)
#
# The dashed curve belongs to the same network with **attention** ([Bahdanau et al.
# 2015](https://arxiv.org/abs/1409.0473), section 3). It falls as well, but only to 0.91, because
# this network keeps a note for every digit, however many there are, and at each step looks for the
# one it needs.
#
# ## What you will be able to do
#
# - say which problem attention was invented for, and explain attention as a lookup that became
#   soft,
# - write scaled dot-product attention, Eq. 1 of [Attention Is All You
#   Need](https://arxiv.org/abs/1706.03762), in five lines of PyTorch,
# - say why the scores are divided by the square root of $d_k$, which axis the softmax runs over,
#   and why a mask comes before it.
#
# It takes about 75 minutes.
#
# *Where it sits.* The encoder and the decoder look at sentences in three places, and the small
# function that you build here works inside each of them.

# %% name="where-it-sits"
wb.progress(current=["scaled_dot_product_attention"])

# %% [markdown]
# ## A lookup that became soft
#
# How can a network look for a note? A Python dictionary looks things up: you give a **query**, it
# finds the **key** that is equal, and returns that key's **value**. If no key is equal, it fails.
#
# Attention does the same, softly. It compares the query with *every* key, which gives each key a
# **score**, and the **softmax** turns the scores into **weights** that sum to 1. It returns the
# **weighted average** of all values, in which a value counts more the better its key fits. Since no
# key is simply found or missed any more, the lookup is **differentiable**, so a model can learn it
# from gradients.
#
# Our queries, keys and values are vectors, and the score of a query with a key is their **dot
# product**, which is large when they are long and point the same way.
#
# *By hand.* We take one query, $q = (1, 0)$, and three keys with one number as the value of each.
# For each key, the softmax takes the power $e^{q \cdot k}$, and divides it by the sum of all three,
# 4.09:
#
# | | key | score $q \cdot k$ | $e^{q \cdot k}$ | weight | value |
# |---|---|---|---|---|---|
# | A | (1, 0) | 1 | 2.72 | 0.67 | 10 |
# | B | (0, 1) | 0 | 1 | 0.24 | 20 |
# | C | (-1, 0) | -1 | 0.37 | 0.09 | 30 |
#
# The output is $0.67 \cdot 10 + 0.24 \cdot 20 + 0.09 \cdot 30 \approx 14.2$, mostly A with a little
# of the others.
#
# *In code.* Replace the three `None`. You need `@`, and the tensor's own `softmax(dim=0)`.

# %% name="guess-by-hand"
query = torch.tensor([1.0, 0.0])
keys = torch.tensor([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])  # A, B, C
values = torch.tensor([10.0, 20.0, 30.0])
scores = None  # the dot product of the query with each key
weights = None  # the softmax of the scores
output = None  # the average of the values with these weights

# %% name="reveal-by-hand"
wb.reveal(scores)
wb.reveal(weights)
wb.reveal(output)

# %% [markdown]
# ## Many queries at once
#
# Each word of a sentence brings a query, a key and a value of its own, and in lesson 02 we find out
# where it gets them. If we make the queries the rows of one matrix $Q$, the keys those of $K$ and
# the values those of $V$, the paper's Eq. 1, **scaled dot-product attention**, says it all:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$
#
# | | shape | |
# |---|---|---|
# | `query` | `(..., T_q, d_k)` | $T_q$ queries, each with $d_k$ numbers |
# | `key` | `(..., T_k, d_k)` | $T_k$ keys, as long as the queries |
# | `value` | `(..., T_k, d_v)` | one value for each key |
# | `mask` | broadcasts to `(..., T_q, T_k)` | True: this query may see this key (explained below) |
#
# The dots stand for any number of axes in front (none, a batch, or a batch and heads), so count
# axes from the end, where -1 is the last one.
#
# In a Transformer, a sentence often asks itself. Why should it? Take the end of 725,
# "fünfundzwanzig". To be the 5 of twenty-five, "fünf" must find out that a ten follows. So each
# word asks all words of its own sentence, which is called **self-attention**.
#
# We set the vectors by hand. In a key, the first number says how much of a digit the word is, and
# the second how much of a ten. Here 2 means wholly and 1 half, and "zwan" is half of each, since it
# is the 2 in the word for twenty. A query says the same of what the word *looks for*. "fünf" looks
# for a ten, so its query is (0, 2). With which word will its score be the largest? The framed row
# shows its scores.

# %% name="steps-scores"
wb.show.attention_steps("scores")

# %% [markdown]
# The score with "zig" is the largest, the one with "zwan" half as large, and the others are 0.
#
# Eq. 1 divides the scores by $\sqrt{d_k}$, and we'll find out why in "Long vectors see one key
# only". In our sentence $d_k$ is 2, so we divide the scores of "fünf" by 1.41 before the softmax
# turns them into weights.

# %% name="steps-weights"
wb.show.attention_steps("weights")

# %% [markdown]
# The weighted average of the values is the output. "fünf" puts nearly three quarters of its weight
# on "zig", and most of the rest on "zwan". In a value, the first number is the digit itself, and
# the second says how much of a ten the word is. In that second number "fünf" gets $0.735 \cdot 2 +
# 0.179 \cdot 1 \approx 1.65$, so now it knows that a ten follows. (In the first number, little is
# left of its own 5. Lessons 02 and 03 show how a word keeps what it had.)

# %% name="steps-output"
wb.show.attention_steps("output")

# %% [markdown]
# ## Keys that must not be looked at
#
# We have to hide some keys, such as padding at the end of a short sentence, or words that a decoder
# hasn't written yet. Such a key needs a weight of exactly 0, and the *other* weights of the row
# must still sum to 1. So we let a **mask** work on the scores, where it replaces a hidden score by
# the lowest finite number that the tensor's **dtype** can hold, called `lowest` in the code. (The
# dtype is the type of its numbers, such as float32.) The softmax turns that into a weight of 0 and
# shares everything out among the other keys.
#
# ## Your turn
#
# Five blanks are yours to fill. The one new function is `math.sqrt`, which takes the square root of
# a plain number (`masked_fill` and `~` are from lesson 00). We have written the lines with
# `dropout` for you, and explain them after the check.
#
# <details><summary>The fine print</summary>
#
# - PyTorch has this ready-made as `F.scaled_dot_product_attention`, and `nn.MultiheadAttention`
#   contains it. Here you write it yourself, so check and grading accept neither.
# - `dropout` is a module or a function. It is called with the weights and returns new ones, which
#   multiply the values. The weights that your function returns may be those before or after
#   dropout.
# - The mask may have fewer axes than the scores, or axes of length 1.
# - A tensor's `softmax` stays finite for scores of any size, while an `exp` of your own overflows
#   from about 89 on.
# - A row in which *every* key is hidden has to stay finite. With `lowest` it comes out uniform,
#   which does no harm, and all zeros would do as well. Minus infinity would be lower still, but
#   there it gives 0 divided by 0, and one `nan` spreads through the whole model. A fixed number
#   *added* to the scores, such as -10000, keeps their differences, so in that row the hidden keys
#   would still be weighted by their scores.
#
# </details>

# %% answer="scaled_dot_product_attention"

# %% check="scaled_dot_product_attention"

# %% [markdown]
# Stuck? The blanks are called `scores`, `scale`, `masked`, `weights` and `output`.

# %% name="hint"
wb.hint("scores")

# %% [markdown]
# *The equation, line by line.*
#
# | Eq. 1 | your code |
# |---|---|
# | $QK^T$ | the blank `scores` |
# | $/\sqrt{d_k}$ | the blank `scale` |
# | (section 3.2.3, masking) | the blank `masked` |
# | softmax | the blank `weights` |
# | $\cdot\, V$ | the blank `output` |
#
# Your code has one step, **dropout**, that neither the paper's equation nor its text has here. In
# training, dropout sets each of its inputs to 0 with probability $p$, so that a model can't rely on
# any single one. It divides the others by $1 - p$, so that their sum stays the same on average, and
# after training it changes none of them. (The authors' later code has it, and so do most
# libraries.)
#
# *Predict, then run.* With `query` of shape `(2, 3, 4)`, `key` `(2, 5, 4)` and `value` `(2, 5, 6)`,
# which shape do the weights have, and which the output?

# %% name="guess-shapes"
weights_shape = None  # for instance (1, 2, 3)
output_shape = None

# %% name="reveal-shapes"
attention = wb.use("scaled_dot_product_attention")
output, weights = attention(torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6))
wb.reveal(weights_shape, tuple(weights.shape))
wb.reveal(output_shape, tuple(output.shape))

# %% [markdown]
# Each of the 3 queries has 5 weights, one for each key, so the softmax runs over the last axis.
#
# ## Your function inside the translator
#
# Now we give your own function, if it passed its check, real queries, keys and values. We take them
# from the translator's **cross-attention**, in which the English words ask and the German pieces
# answer, while it writes "three hundred forty-eight". Your function takes all four heads at once,
# and the picture shows their mean. Before you run the cell, decide what the word "forty" will look
# at.

# %% name="heat-map"
attention = wb.use("scaled_dot_product_attention")
query, key, value, english, german = wb.translator.inside_cross_attention(348)
print("query", tuple(query.shape), "key", tuple(key.shape), "value", tuple(value.shape))
_, weights = attention(query, key, value)
wb.show.heat_map(
    weights.mean(dim=0),
    english,
    german,
    title="Who looks at what: your weights, the translator's vectors",
    row_axis="query: the word to write",
    column_axis="key: the German piece",
)

# %% [markdown]
# In the weights that your function has computed, "forty" looks at "vier", and a little at "zig",
# and then "eight" goes back to "acht". Hardly any weight falls on "und", since English doesn't say
# it. In the rows of "forty" and "hundred", only three quarters fall on one piece, because we see
# the mean of four heads, and one of them looks elsewhere.
#
# Now we hide the piece "acht" with a mask. Which rows do you expect to change?

# %% name="heat-map-masked"
mask = torch.tensor([piece != "acht" for piece in german])
_, weights = attention(query, key, value, mask)
wb.show.heat_map(
    weights.mean(dim=0),
    english,
    german,
    title='The piece "acht" is hidden',
    mask=mask.expand(len(english), len(german)),
    row_axis="query: the word to write",
    column_axis="key: the German piece",
)

# %% [markdown]
# The hidden column is hatched, and its weights are exactly 0. Only the row of "eight" has changed
# visibly, because the piece it was looking for is gone. But a softmax has to put its weight
# somewhere, so we now find half of it on "und", and most of the rest on `<eos>` and "zig".
#
# ## Three people hide A
#
# You have masked the scores, before the softmax. Now three people take the example by hand again,
# and each tries to hide A. Which of them gets an average of B's 20 and C's 30?
#
# | what they do | weights of A, B, C | sum | result |
# |---|---|---|---|
# | the score of A becomes 0 | 0.42, 0.42, 0.16 | 1 | 17.3 |
# | the weight of A becomes 0, after the softmax | 0, 0.24, 0.09 | 0.33 | 7.6 |
# | the score of A becomes very low | 0, 0.73, 0.27 | 1 | 22.7 |
#
# The first one has hidden nothing, because $e^0$ is 1, so a score of 0 is a score like any other.
# The second one has lost the weight that A held, so the result, 7.6, is less than both values that
# may be seen. Only the third result is an average of 20 and 30.
#
# ## Long vectors see one key only
#
# Why do we divide by $\sqrt{d_k}$? To find out, we take the query and the keys of the example by
# hand once more. One slider sets the **temperature**, a number by which we divide the scores before
# the softmax, and the other turns the query. (The larger a disc, the larger the weight of its key.)

# %% name="soft-lookup"
wb.show.soft_lookup()

# %% [markdown]
# The weights go to the keys that the query points to, and the output follows. Turning alone gets it
# up to 26, so use both sliders and get above 29 before you read on.
#
# The lower we set the temperature, the more the lookup is like a dictionary, in which one key gets
# everything. The higher we set it, the more alike all keys become. So the number by which we divide
# decides between the two, and Eq. 1 divides by $\sqrt{d_k}$.
#
# But why the root? Suppose that the entries of two vectors are independent, with mean 0 and
# variance 1. Then the product of two entries has the variance $1 \cdot 1 = 1$, and when we add
# $d_k$ such products, their variances add up to $d_k$. The score's standard deviation is therefore
# $\sqrt{d_k}$, and if we divide by that, it returns to 1 for every size.
#
# And what if we don't divide? We draw random queries and keys of several sizes. The left picture
# shows the largest weight of a row, and the right one shows how much the weights change when the
# scores change a little, which is the size of the softmax's gradient.

# %% name="saturation"
wb.show.softmax_saturation()

# %% [markdown]
# Without scaling, the largest weight goes towards 1 as $d_k$ grows. We call a softmax that looks at
# one key only **saturated**, and its gradient goes towards 0. (Up to $d_k = 4$ it grows a little
# first.) Compared with the scaled one, the gradient is a little more than half as large at 64, the
# paper's size, and a sixth as large at 1024. The authors *suspect* that this hurts learning
# (section 3.2.1).
#
# <details><summary>Does the gradient vanish, then?</summary>
#
# Not quite. Without the division, it also becomes $\sqrt{d_k}$ times as large on its way from the
# scores to $q$ and $k$. So it doesn't vanish there, but a few queries get most of it. At 1024, a
# tenth of the queries get four fifths of it.
#
# </details>
#
# Does the translator need the division? Its vectors have $d_k = 16$, so without it the scores are
# four times as large. Before you run the cell, guess how many of 200 numbers will still be right.

# %% name="without-scaling"
wb.translator.compare(725, 54, without="scaling")

# %% [markdown]
# All of them are. Now that it is *trained*, each head mostly looks at one place with nearly all its
# weight, so we do no harm if we make the weights sharper still. But could it have *learned* without
# the scaling? We train two new ones from the same start, each with a single head of $d_k = 64$, the
# paper's size, which takes ten to sixty seconds. (You need not read the code.)

# %% name="learning-steps"
LEARNING_STEPS = 150

# %% quick="fewer-steps"
LEARNING_STEPS = 10

# %% name="learning-without-scaling"
make_model, train_step, criterion = wb.use("make_model", "train_step", "LabelSmoothing")
words, curves, progress = wb.number_words, {}, wb.steps(2 * LEARNING_STEPS)
batches = list(words.Batches(words.LESSON.splits().train, 32)(0))
sizes = {"d_model": 64, "num_heads": 1, "num_layers": 1, "d_ff": 64, "dropout": 0.0}
# 8 times the query undoes the division
for name, factor in (("with scaling", 1), ("no scaling", 8)):
    wb.seed_everything(0)
    model = make_model(len(words.GERMAN), len(words.ENGLISH), **sizes)
    for part in model.modules():
        if hasattr(part, "w_q"):
            part.w_q.register_forward_hook(lambda _part, _x, query, by=factor: by * query)
    loss_fn = criterion(len(words.ENGLISH), words.PAD)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003)
    steps = zip(batches[:LEARNING_STEPS], progress, strict=False)
    losses = [train_step(model, batch, loss_fn, optimizer) for batch, _ in steps]
    curves[name] = (torch.arange(5, LEARNING_STEPS, 10), torch.tensor(losses).view(-1, 10).mean(1))
wb.show.curves(curves, title="Two translators with one head of 64", x_label="step", y_label="loss")

# %% [markdown]
# The translator without scaling stays at about 1.4, while the other comes far below 1. Smaller
# steps help, but are no cure. With a third of the learning rate and three times the steps, the loss
# ended at 0.5 to 0.7 without scaling, and at about 0.1 with it. A part can be needed to *become*
# good, and not to *be* good.
#
# ## Why the recurrent network was dropped
#
# One question is still open. Bahdanau's network, the dashed curve at the start of this lesson, was
# recurrent, with attention added. Two years later, the Transformer kept only the attention, since
# "attention is all you need". Why drop a part that worked? Section 4 of the paper compares
# recurrent layers with self-attention, for $n$ words of $d$ features (its Table 1, which also has
# convolutions):
#
# | layer | complexity | sequential operations | maximum path length |
# |---|---|---|---|
# | recurrent | $O(n \cdot d^2)$ | $O(n)$ | $O(n)$ |
# | self-attention | $O(n^2 \cdot d)$ | $O(1)$ | $O(1)$ |
#
# - **Sequential operations.** A recurrent network reads 100 words in 100 steps, one after another,
#   however fast the computer is, while your function has no loop and computes all words in
#   **parallel**. (Writing still takes a step for each word.)
# - **Path length.** The meaning of the first word must survive 99 changes of the hidden state
#   before it meets the last word, while in your `scores` any two words meet directly.
# - **Complexity** is the price. For 100 words, `scores` takes $100 \cdot 100 \cdot d$
#   multiplications, and the recurrent network $100 \cdot d \cdot d$. So attention is cheaper only
#   while a sentence has fewer words than a word has features.
#
# ## The same idea on a noisy signal
#
# Is attention tied to words? Suppose we know a curve at 60 points, each with noise, and would like
# to smooth it by replacing each value by an average of those around it. Then we can use the
# *positions* as queries and keys, a small distance as a good fit, and the noisy numbers as the
# values.

# %% name="noisy-signal"
torch.manual_seed(1)
positions = torch.linspace(0, 6, 60)
noisy = torch.sin(positions) + 0.4 * torch.randn(60)
gaps = positions[:, None] - positions[None, :]
fits = 1 / torch.exp(gaps.square() / 0.1)  # 1 where there is no gap, near 0 where it is large
wb.show.curves(
    {
        "noisy": (positions, noisy),
        "smoothed": (positions, torch.stack([(fit * noisy).sum() / fit.sum() for fit in fits])),
        "the true curve": (positions, torch.sin(positions)),
    },
    title="Each point looks at its neighbors",
    x_label="position",
    y_label="value",
)

# %% [markdown]
# The smoothed curve comes close to the true one. The method, **kernel smoothing**, uses a softmax,
# since `fits` holds powers of e (1 / e^a is e^-a), and we divide by their sum. Attention in a
# Transformer does the same, except that it *learns* what counts as near.

# %% [markdown]
# ## Bug hunt
#
# The function below should smooth a noisy signal as in the picture above. It runs, and its result
# has the right shape, but there are **two bugs** in it for you to find and fix.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# Stuck? There are hints for the bug hunt, too.

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** Why are the scores divided by the *square root* of $d_k$, rather than by $d_k$ or
# by nothing at all? Say what would happen in each case.

# %% [markdown] rubric="1"
# 1 point: the dot product of two random vectors with unit variance has variance $d_k$, so the root
# brings the standard deviation to 1, whatever the size. 1 point: what happens otherwise: without
# scaling the softmax saturates, and the model learns badly (that its gradient vanishes, as the
# paper suspects, is a full answer); divided by $d_k$ the scores shrink towards 0 and the weights
# become nearly uniform.

# %% [markdown] model="1"
# A dot product of two vectors with independent entries of variance 1 has the variance $d_k$, so its
# standard deviation is $\sqrt{d_k}$: dividing by that brings it back to 1 for every size. Divided
# by nothing, the scores of long vectors are so large that the softmax looks at one key only. A few
# queries then get most of the gradient, and a new model learns badly. Divided by $d_k$, scores are
# close to 0, and all keys get nearly the same weight.

# %% [markdown] question="2" points="2"
# **Question 2.** A friend applies the mask *after* the softmax, by setting the hidden weights
# to 0. What is wrong with the result, and why does it matter more for short sentences in a padded
# batch?

# %% [markdown] rubric="2"
# 1 point: the remaining weights no longer sum to 1, because the hidden keys have taken a share in
# the softmax. 1 point: the shorter the sentence, the more padding it has, so the more of the
# weight is lost; its outputs shrink, and depend on how much padding the batch happens to have.

# %% [markdown] model="2"
# The softmax has already given a share to the hidden keys, so the weights that are left sum to less
# than 1, and the output is too small. In a padded batch a short sentence has the most padding, so
# it loses the most, and its output depends on how long the other sentences of the batch are.

# %% [markdown]
# ## In its place
#
# You have the heart of the Transformer, a function that lets every position look at every other and
# take what it needs. Now we put your function into all of the translator's attention layers:

# %% name="with-yours"
wb.translator.with_yours("scaled_dot_product_attention")

# %% [markdown]
# Each of these layers calls your function for four heads, since one head can look in one way only.
# Lesson 02, **multi-head attention**, begins with a translator that has lost three of the four.
# Before you open it, guess which word of 63 it will leave out, and which of 934.

# %% name="progress"
wb.progress()
