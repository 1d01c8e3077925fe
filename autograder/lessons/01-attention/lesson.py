# %% [markdown]
# ## What you will be able to do
#
# - explain attention as a lookup that became soft,
# - write scaled dot-product attention, Eq. 1 of
#   [Attention Is All You Need](https://arxiv.org/abs/1706.03762), in five lines of PyTorch,
# - say why the scores are divided by the square root of $d_k$, which axis the softmax runs over,
#   and why a mask comes before it.
#
# It takes about 45 minutes. In code you will see `____`: a **blank** for you to fill. Below each
# cell with blanks stands a **check**, which says at once what works and what does not. If you are
# stuck, ask for a hint.

# %% [markdown]
# ## Where it sits
#
# Figure 1 of the paper shows the whole Transformer. Three of its boxes are attention, and inside
# each of them the same small function does the work. That function is what you build here.

# %% name="where-it-sits"
wb.progress(current=["scaled_dot_product_attention"])

# %% [markdown]
# ## A lookup that became soft
#
# A Python dictionary looks things up: you give a **query**, it finds the **key** that is equal,
# and returns that key's **value**. If no key is equal, you get nothing.
#
# Attention does the same, softly. It compares the query with *every* key, turns the comparisons
# into **weights** that sum to 1, and returns the average of all values with these weights. A key
# that fits well gets a large weight, one that does not fit gets a small one. Since nothing is
# simply found or not found, everything has a gradient, so it can be learned.
#
# Queries, keys and values are vectors here. Two vectors are compared by their **dot product**:
# it is large when they point the same way.
#
# ### By hand
#
# One query, $q = (1, 0)$, and three keys with one number as the value of each:
#
# | | key | $q \cdot k$ | value |
# |---|---|---|---|
# | A | (1, 0) | 1 | 10 |
# | B | (0, 1) | 0 | 20 |
# | C | (-1, 0) | -1 | 30 |
#
# The softmax turns the scores 1, 0, -1 into weights: $e^1, e^0, e^{-1}$ are about 2.72, 1 and
# 0.37. Their sum is 4.09, so the weights are 0.67, 0.24 and 0.09. The result is
# $0.67 \cdot 10 + 0.24 \cdot 20 + 0.09 \cdot 30 \approx 14.2$: mostly A, a little of the others.
#
# (We left out the scaling. It comes below.)

# %% [markdown]
# Below, the scores are divided by a number, the **temperature**, before the softmax. Move the
# slider and watch the weights. (The larger a disc, the larger the weight of its key.)

# %% name="soft-lookup"
wb.show.soft_lookup()

# %% [markdown]
# The lower the temperature, the more the lookup is like a dictionary: one key gets everything.
# The higher it is, the more all keys are alike. Remember this picture: a factor before the
# softmax decides between the two.

# %% [markdown]
# ## The same idea on a noisy signal
#
# Here is something you can do with a soft lookup, long before there is any language in it. We
# know a curve at 60 points, each with noise. To smooth it, replace each value by an average of
# those around it: the *positions* are queries and keys, a small distance is a good fit, and the
# noisy numbers are the values.

# %% name="noisy-signal"
torch.manual_seed(1)
positions = torch.linspace(0, 6, 60)
noisy = torch.sin(positions) + 0.4 * torch.randn(60)
distances = positions[:, None] - positions[None, :]
nearness = F.softmax(-(distances**2) / 0.1, dim=-1)
wb.show.curves(
    {
        "noisy": (positions, noisy),
        "smoothed": (positions, nearness @ noisy),
    },
    title="Each point looks at its neighbours",
)

# %% [markdown]
# Attention in a Transformer does the same, with one great difference: what is near to what is
# not given by positions on a line, it is *learned*.

# %% [markdown]
# ## Many queries at once
#
# A sentence has many words, and each of them asks. So the queries are the rows of one matrix $Q$,
# the keys the rows of $K$, the values the rows of $V$, and the paper's Eq. 1 says it all:
#
# $$\mathrm{Attention}(Q, K, V) = \mathrm{softmax}\left(\frac{QK^T}{\sqrt{d_k}}\right)V$$
#
# | | shape | |
# |---|---|---|
# | `query` | `(..., T_q, d_k)` | $T_q$ queries, each with $d_k$ numbers |
# | `key` | `(..., T_k, d_k)` | $T_k$ keys, as long as the queries |
# | `value` | `(..., T_k, d_v)` | one value for each key |
# | `mask` | broadcasts to `(..., T_q, T_k)` | True: this query may see this key |
#
# The dots stand for any number of axes before: none, a batch, a batch and heads. So always count
# axes from the end: -1 is the last one. The mask may have fewer axes, or a 1 among them.
#
# ### Predict, then run
#
# With `query` of shape `(2, 3, 4)`, `key` `(2, 5, 4)` and `value` `(2, 5, 6)`: which shape do the
# weights have, and which the output? Write your guesses in place of `None`. (You find out below.)

# %% name="guess-shapes"
weights_shape = None  # for instance (1, 2, 3)
output_shape = None

# %% [markdown]
# ## Why the scores are scaled
#
# A dot product of two vectors adds up $d_k$ products. If the entries are independent, with mean 0
# and variance 1, then each product has variance 1 too, and their sum has variance $d_k$: its
# standard deviation is $\sqrt{d_k}$. So longer vectors give larger scores, for no other reason
# than that they are longer. What does the softmax make of larger scores?

# %% name="saturation"
wb.show.softmax_saturation()

# %% [markdown]
# Without scaling, the largest weight goes towards 1 as $d_k$ grows: the softmax is **saturated**,
# it looks at one key only. And where the softmax is flat, its gradient is nearly 0, so nothing
# can be learned. Dividing by $\sqrt{d_k}$ brings the standard deviation back to 1, for every size.
#
# ## Why the mask comes before the softmax
#
# Some keys must not be looked at: padding at the end of a short sentence, or words that a decoder
# has not written yet. Such a key needs a weight of exactly 0, and the *other* weights of the row
# must still sum to 1. If you set weights to 0 after the softmax, what they held is lost. So the
# mask works on the scores: a score as low as a number can be becomes a weight of 0, and the
# softmax shares everything out among the rest.
#
# (The code also takes `dropout`: a module or a function that is called with the weights, and gives
# those that multiply the values. In training, dropout sets some of its inputs to 0 at random, each
# with probability $p$, and divides the others by $1 - p$, so that a model does not rely on single
# ones; afterwards it does nothing. The weights that are returned may be those before or after it.)
#
# Minus infinity would be lower still. But a row in which *every* key is hidden would then be
# 0 divided by 0, and one `nan` spreads through the whole model. So the code below uses `lowest`,
# the lowest finite number of the dtype: there, such a row comes out uniform, which hurts nobody.
# (All zeros would do as well. The row and its gradients only have to stay finite.)
#
# Scores can also be very high. From about 89 on, $e^{score}$ is too large for float32. Torch's
# softmax subtracts the largest score of each row first, which changes no weight: the scores of a
# row may be of any size.
#
# ## Your turn
#
# PyTorch has this function too (`F.scaled_dot_product_attention`), and `nn.MultiheadAttention`
# contains it. Check and grading refuse both here: write it yourself. Lesson 12 is about using it.
#
# Fill the five blanks, then run the cell and the check below it.

# %% answer="scaled_dot_product_attention"

# %% check="scaled_dot_product_attention"

# %% [markdown]
# Stuck? Run this cell, more than once if you like. The blanks are called `scores`, `scale`,
# `masked`, `weights` and `output`.

# %% name="hint"
wb.hint("scores")

# %% [markdown]
# ### The equation, line by line
#
# | Eq. 1 | your code |
# |---|---|
# | $QK^T$ | the blank `scores` |
# | $/\sqrt{d_k}$ | the blank `scale` |
# | (section 3.2.3, masking) | the blank `masked` |
# | softmax | the blank `weights` |
# | $\cdot\, V$ | the blank `output` |
#
# And now for your guesses from above:

# %% name="reveal-shapes"
attention = wb.use("scaled_dot_product_attention")
output, weights = attention(torch.randn(2, 3, 4), torch.randn(2, 5, 4), torch.randn(2, 5, 6))
mistakes = {
    "Those would be weights of queries for queries. Each query has a weight for each key.": (
        (2, 3, 3)
    ),
    "The features are summed over in the scores; a weight is one number for a query and a key.": (
        (2, 3, 4)
    ),
}
wb.reveal(weights_shape, tuple(weights.shape), mistakes)
mistakes = {
    "The output is an average of values, so it has as many features as they have.": (2, 3, 4),
    "There is one output for each query, not for each key.": (2, 5, 6),
}
wb.reveal(output_shape, tuple(output.shape), mistakes)

# %% [markdown]
# ## Look at it
#
# `wb.use` gave you your own function if it passed its check, else a stand-in made from torch's own
# parts, so that the pictures work either way.
#
# Each word below has a random vector. The words "cat" and "kitten" were given almost the same one.
# Before you run it: which two words will look at each other?

# %% name="heat-map"
torch.manual_seed(3)
words = ["the", "cat", "saw", "a", "kitten"]
vectors = torch.randn(5, 16)
vectors[4] = vectors[1] + 0.3 * torch.randn(16)
_, weights = attention(vectors, vectors, vectors)
wb.show.heat_map(weights, words, words, title="Which word looks at which")

# %% [markdown]
# Each row is one query and sums to 1. Most words look at themselves, since a vector fits itself
# well. "cat" and "kitten" find each other: "cat" even looks at "kitten" more than at itself,
# since a dot product grows with the length of the vectors, and kitten's is longer. Now hide the
# last two words, as if they were padding:

# %% name="heat-map-masked"
mask = torch.tensor([True, True, True, False, False])
_, weights = attention(vectors, vectors, vectors, mask)
wb.show.heat_map(
    weights, words, words, title="The last two words are hidden", mask=mask.expand(5, 5)
)

# %% [markdown]
# The hidden columns are hatched: their weights are exactly 0, and every row still sums to 1. The
# rows of the hidden words are still there: they look at others, but nobody looks at them.
#
# ## Bug hunt
#
# The function below should smooth a noisy signal as in the picture above. It runs, and its result
# has the right shape, but it is wrong: there are **two bugs** in it. Find and repair them.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

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
# scaling the softmax saturates and its gradient vanishes; divided by $d_k$ the scores shrink
# towards 0 and the weights become nearly uniform.

# %% [markdown] question="2" points="2"
# **Question 2.** A friend applies the mask *after* the softmax, by setting the hidden weights to
# 0. What is wrong with the result, and why does it matter more for short sentences in a padded
# batch?

# %% [markdown] rubric="2"
# 1 point: the remaining weights no longer sum to 1, because the hidden keys have taken a share in
# the softmax. 1 point: the shorter the sentence, the more padding it has, so the more of the
# weight is lost; its outputs shrink, and depend on how much padding the batch happens to have.

# %% [markdown]
# ## What you built, and what comes next
#
# You have the heart of the Transformer: a function that lets every position look at every other
# and take what it needs. Everything else in the paper is built around it.
#
# One attention can look in one way only. In lesson 02 you will let eight of them look in eight
# different ways at once: **multi-head attention**.

# %% name="progress"
wb.progress()
