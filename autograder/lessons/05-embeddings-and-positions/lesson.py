# %% [markdown]
# ## 384 or 483?
#
# Without positions, 54 and 45 got the same answer in lesson 00, because their German words are made
# of the same pieces. The two words of each pair below share their pieces, too. How many of these
# four numbers will the translator get right?

# %% name="without-positions"
wb.translator.compare(384, 483, 300008, 800003, without="positions")

# %% [markdown]
# Each pair gets one answer for both its numbers, and it is wrong for both. "dreihunderttausendacht"
# and "achthunderttausenddrei" differ by 499,995, and only the order of their pieces tells them
# apart. Why doesn't the translator see this order, and what can we do about it?
#
# ## What you will be able to do
#
# - turn token ids into vectors, and say why the Transformer multiplies these by $\sqrt{d_{model}}$
#   (section 3.4 of [the paper](https://arxiv.org/abs/1706.03762)),
# - show that attention cannot see the order of words, and give it positions to see (section 3.5),
# - write the sinusoidal encoding, and explain it as a counter whose bits became waves,
# - say what speaks for sinusoids, and what for positions that are learned.
#
# It takes about 90 minutes, without the parts that are marked as optional.
#
# *Where it sits.* At the very bottom of Figure 1, on both sides, words come in as numbers, and
# leave as vectors that tell what each word is and where it stands.

# %% name="where-it-sits"
wb.progress(current=["TokenEmbedding", "PositionalEncoding", "LearnedPositionalEmbedding"])

# %% [markdown]
# ## From ids to vectors
#
# To see where the order gets lost, we begin at the bottom. In place of words, a model gets **token
# ids**, their numbers in a list that we call the **vocabulary**. But an id is only a name, so the
# model can't calculate with it. Token 6, for example, isn't twice token 3.
#
# Could we number the tokens more wisely, so that similar words get neighboring ids? Then each word
# would be a vector of one number, a point on a line, and a line soon runs out of room. If we take
# three words that are equally alike, "dog", "cat" and "bird", one of them has to stand in the
# middle, so the outer two end up farther apart than they should be. With two numbers for each word
# the three fit, as a triangle in a plane, and with more numbers we get room for more words.
#
# So we give each token a vector to calculate with, its **embedding**, and let the model learn these
# vectors. Together they form a table, in which an id says which row to take.
#
# *By hand.* We take a vocabulary of three tokens, whose vectors have $d_{model} = 4$ numbers:
#
# | id | token | its row of the table |
# |---|---|---|
# | 0 | (padding) | 0, 0, 0, 0 |
# | 1 | "yes" | 0.5, -0.1, 0.2, 0.4 |
# | 2 | "no" | -0.3, 0.2, 0.1, -0.5 |
#
# The sentence "no yes no" has the ids 2, 1, 2, so we look up rows 2, 1 and 2:

# %% name="look-up"
table = torch.tensor([[0, 0, 0, 0], [0.5, -0.1, 0.2, 0.4], [-0.3, 0.2, 0.1, -0.5]])
ids = torch.tensor([2, 1, 2])
table[ids]

# %% [markdown]
# The result is a matrix of shape (3, 4). A lookup multiplies nothing, since it only copies rows of
# the table. Afterwards we multiply everything by $\sqrt{d_{model}} = \sqrt 4 = 2$, so that the
# first vector becomes (-0.6, 0.4, 0.2, -1.0). (You'll see why once we have positions.)
#
# `nn.Embedding` is such a table, a module that you make from the number of rows and the length of
# each row, and that you call with ids.
#
# | | shape | |
# |---|---|---|
# | `ids` | `(N, T)` | N sentences of T tokens, `torch.long` |
# | the table | `(vocab_size, d_model)` | one row for each token |
# | the result | `(N, T, D)` | one vector for each token of each sentence |
#
# ## Your turn: tokens
#
# Fill the three blanks.
#
# <details><summary>The fine print</summary>
#
# - The table is the module's only parameter, `embedding.weight`; lesson 08 will ask for it by this
#   name.
# - If `nn.Embedding` is also given a `padding_idx`, it keeps the row of that token at 0 and never
#   trains it. Here this is optional, but it is good to have, since padding means nothing.
#
# </details>

# %% answer="TokenEmbedding"

# %% check="TokenEmbedding"

# %% [markdown]
# Stuck? The blanks are called `table`, `lookup` and `scaled`.

# %% name="hint-tokens"
wb.hint("table")

# %% [markdown]
# ## Who bites whom
#
# Each word has its vector now, but does the model know which comes first? To find out, we take two
# sentences of the same three words, "dog bites man" and "man bites dog", and let each word look at
# all three, as in lesson 01.
#
# *Predict, then run.* With a third sentence, "dog bites dog", we have nine words, and attention
# gives each of them a vector. How many *different* ones are among these nine vectors?

# %% name="guess-order"
different = None  # a number from 1 to 9

# %% name="reveal-order"
attention = wb.use("scaled_dot_product_attention")
torch.manual_seed(4)
dog, bites, man = torch.randn(3, 16)


def received(*words):
    x = torch.stack(words)
    output, _ = attention(x, x, x)
    return output


sentences = [(dog, bites, man), (man, bites, dog), (dog, bites, dog)]
vectors = torch.cat([received(*words) for words in sentences])
wb.reveal(different, len(vectors.round(decimals=3).unique(dim=0)))

# %% [markdown]
# The first two sentences have three different vectors between them, and the third, without a man,
# has two of its own, so there are five. Attention is a weighted sum, and since a sum doesn't know
# the order of its terms, each word still receives the same if we permute all words. (We call such a
# function **permutation-equivariant**.) Who bites whom is lost. While a recurrent network reads
# word by word and gets the order for free, a Transformer has to be told. So we add to each vector
# something that says where its word stands, a **positional encoding**.
#
# <details><summary>Does every Transformer have to be told?</summary>
#
# No, since a model can learn the order by itself if each word sees only those before it, as in
# lesson 06 ([Haviv et al. 2022](https://arxiv.org/abs/2203.16634)). Where all words see each other,
# it cannot.
#
# </details>
#
# ## A counter that became waves
#
# How would you write the position into a handful of numbers? A single number that counts 0, 1, 2,
# ... would outgrow all other features in a long text. A binary counter does better, because its
# bits are never more than 1. The lowest bit changes at each step, the next one at every second
# step, and so on.

# %% name="binary-counter"
wb.show.binary_counter()

# %% [markdown]
# On the left, each row is a position, with its lowest bit first (in a written number it comes
# last). Below each column stands its period, so the first repeats every 2 steps and the next every
# 4. But bits jump, so from 7 to 8 all four of them change at once, although the two positions are
# neighbors.
#
# On the right are **sinusoids**, sine waves with the same periods, shifted such that each is
# positive where its bit is 1, and negative where it is 0. From 7 to 8 the fast waves still jump,
# but the slow ones glide. In the last column, the bit jumps from 0 to 1, but its wave only goes
# from -0.20 to 0.20. So positions near each other look alike, and a network can make use of that.
#
# One wave alone has a flaw, because a sine has the same value twice in each turn, going up and
# coming down. With the cosine beside it there is no doubt. The pair gives the tip of a clock's
# hand, with the sine as its height and the cosine as its distance to the right. At position 0 all
# hands point to the right. Move the slider, and they turn counterclockwise, each slower than the
# one before.

# %% name="dial"
wb.show.position_dial()

# %% [markdown]
# Section 3.5 writes the same as two lines. Position $pos$ gets $d_{model}$ numbers, and pair $i$ of
# them, counted from 0, is
#
# $$PE_{(pos,\,2i)} = \sin\left(\frac{pos}{10000^{2i/d_{model}}}\right) \qquad
# PE_{(pos,\,2i+1)} = \cos\left(\frac{pos}{10000^{2i/d_{model}}}\right)$$
#
# So the features alternate between sine and cosine. The two features of a pair share one angle, the
# position times a **rate**, which is $1/10000^{2i/d_{model}} = 10000^{-2i/d_{model}}$. The rate is
# 1 for the first pair, and shrinks from pair to pair. (The clocks above are the first four of the
# eight pairs that we get with $d_{model} = 16$.)
#
# What is the 10000 for? While the counter doubles its period from column to column, here the period
# grows from pair to pair by another fixed factor, and the 10000 sets the longest one. The first
# hand turns once in $2\pi$ positions, about 6, and the last one of a large model needs nearly 10000
# times as many.
#
# *By hand.* With $d_{model} = 4$ we have two pairs, with the rates $10000^0 = 1$ and $10000^{-2/4}
# = 0.01$:
#
# | position | angles | sin | cos | sin | cos |
# |---|---|---|---|---|---|
# | 1 | 1, 0.01 | 0.84 | 0.54 | 0.01 | 1.00 |
# | 2 | 2, 0.02 | 0.91 | -0.42 | 0.02 | 1.00 |
# | 3 | 3, 0.03 | 0.14 | -0.99 | 0.03 | 1.00 |
#
# ## Your turn: sinusoids
#
# Fill the five blanks. The result is `(length, d_model)`, one row for each position. In
# `encoding[:, 0::2]` the slice `0::2` means "from 0 on, every second one", so it takes the even
# features, and `1::2` the odd ones. We give you two lines, in which `even_feature` holds $2i$ for
# each pair, and `paired` leaves out the last angle if $d_{model}$ is odd, since the last sine then
# has no cosine beside it.
#
# <details><summary>The fine print</summary>
#
# - `even_feature` is in `float64`, double precision, because far from the start the angles are
#   large, and in `float32` their rounding shows, by up to 0.0004 at position 5000. That does no
#   harm, and most published code accepts it, so rates and angles may be in either here.
# - The result is in `float32`.
#
# </details>

# %% answer="sinusoidal_encoding"

# %% check="sinusoidal_encoding"

# %% [markdown]
# Stuck? The blanks are called `position`, `rate`, `angle`, `sines` and `cosines`.

# %% name="hint-sinusoids"
wb.hint("position")

# %% [markdown]
# *The equation, line by line.*
#
# | section 3.5 | your code |
# |---|---|
# | $pos$ | the blank `position` |
# | $2i$ | `even_feature` |
# | $1/10000^{2i/d_{model}}$ | the blank `rate` |
# | what stands in the parentheses of sin and cos | the blank `angle` |
# | $PE_{(pos,\,2i)}$ | the blank `sines` |
# | $PE_{(pos,\,2i+1)}$ | the blank `cosines` |
#
# *Predict, then run.* In the table by hand, we left out the row of position 0. Which four numbers
# do you expect there?

# %% name="guess-row"
row_of_position_0 = None  # for instance (0.1, 0.2, 0.3, 0.4)

# %% name="reveal-row"
sinusoids = wb.use("sinusoidal_encoding")
wb.reveal(row_of_position_0, sinusoids(1, 4)[0])

# %% [markdown]
# Now we draw the whole encoding, with a row for each position and a column for each feature.

# %% name="picture-of-positions"
wb.show.positions(length=60, d_model=64)

# %% [markdown]
# The fast waves are on the left, like the lowest bits of the counter. On the right are the slow
# ones, which hardly move within one sentence, so that each pair there is a sine near 0 and a cosine
# near 1, and we see stripes.
#
# ## Near positions look alike
#
# Do near positions really look alike? We compare the vector of position 25 with every other by the
# cosine similarity of lesson 03, which is a dot product, as in attention, but divided by both
# lengths, so that equal vectors give 1. Then we do the same with random vectors. Before you run the
# cell, guess how much positions 24 and 0 are like 25.

# %% name="nearness"
waves = sinusoids(50, 128)
torch.manual_seed(2)
drawn = torch.randn(50, 128)


def compared_with_25(vectors):
    return F.cosine_similarity(vectors[25], vectors, dim=-1)


wb.show.curves(
    {"sinusoids": compared_with_25(waves), "random": compared_with_25(drawn)},
    title="How much each position is like position 25",
    x_label="position",
    y_label="cosine similarity",
)

# %% [markdown]
# With sinusoids, near positions look alike, equally on both sides, but with random vectors they
# don't. (Far positions never become quite unlike, since the slow pairs have hardly moved.)
#
# ## Your turn: adding positions
#
# To each token's vector we add the vector of its position. Doesn't that spoil the word? With
# hundreds of features there is room for both, and the model can learn to keep words and positions
# in different directions. So we needn't make the vector longer, as we would if we **concatenated**
# the two. Here is "no yes no" from above, already multiplied by 2, with the first three positions:

# %% name="position-sum"
wb.show.position_sum()

# %% [markdown]
# The two vectors of "no" were equal, and now they aren't. Fill the four blanks of the module that
# adds positions. For each of them, one thing is worth a thought:
#
# - **A buffer.** The encoding is computed once and never learned, so it is no parameter. But since
#   it has to follow the model to a GPU, a plain attribute will not do.
#   `register_buffer(name, tensor)` is made for that, and afterwards the tensor is an attribute of
#   that name.
# - **Which axis is time?** Tensors are batch first here, so `x` is `(N, T, D)`. Much published code
#   is time first, with an encoding of `(T, 1, D)`, and raises no error if it gets `(N, T, D)`.
# - **The start.** `start` is the position of the first word of `x`, which is 0 in training. When a
#   model writes, it reads its own text piece by piece, and after 5 tokens the next piece begins at
#   `start=5`.
# - **Dropout.** Section 5.4 applies it "to the sums of the embeddings and the positional
#   encodings".
#
# <details><summary>The fine print</summary>
#
# - Any name of the buffer will do, as long as `forward` reads the same one; the hints use
#   `"encoding"`.
# - You may add `persistent=False`, which leaves the tensor out of saved files, since it can be
#   computed again.
#
# </details>

# %% answer="PositionalEncoding"

# %% check="PositionalEncoding"

# %% [markdown]
# Stuck? The blanks are called `buffer`, `time_axis`, `rows` and `sum`. The blank `buffer` is a
# whole line.

# %% name="hint-positions"
wb.hint("buffer")

# %% [markdown]
# Back to the dog and the man, this time with positions. If we add the encoding to each sentence,
# does "bites" notice which word stands before it?

# %% name="order-again"
add_positions = wb.use("PositionalEncoding")(16, dropout=0.0)


def with_positions(*words):
    x = add_positions(torch.stack(words).unsqueeze(0))[0]
    return received(*x)[1]  # what "bites" receives


by_dog, by_man = with_positions(dog, bites, man), with_positions(man, bites, dog)
print(f"a number of the vector, on average:  {by_dog.abs().mean():.2f}")
print(f"the largest difference:              {(by_dog - by_man).abs().max():.2f}")

# %% [markdown]
# It does, a little, and a difference that the model can learn from is all we need.
#
# ## Without the factor
#
# One promise is open, the factor $\sqrt{d_{model}}$ of your `TokenEmbedding`. We trained the
# translator with it, and its $d_{model}$ is 64, so without the factor its word vectors become 8
# times too small. What will get lost, the words or their order?

# %% name="without-scale"
wb.translator.compare(21, 725, without="embedding scale")

# %% [markdown]
# The translator hardly notices the words any more, because now their positions outweigh them.
#
# The paper doesn't say why it multiplies, but here is the usual reason. We **initialize** the table
# before training with small random numbers, such that each token's vector has a length of about 1,
# however many numbers it has. (`nn.Embedding` alone starts larger. In lesson 08 we initialize yours
# small, and say why.) But a sine doesn't get smaller when a vector has more of them, so the vector
# of a position gets longer with $\sqrt{d_{model}}$:

# %% name="why-scaled"
sinusoids = wb.use("sinusoidal_encoding")
torch.manual_seed(0)
sizes = [16, 64, 128, 256, 512, 768, 1024]
small_table = [torch.randn(100, size) / size**0.5 for size in sizes]
token = torch.stack([rows.norm(dim=1).mean() for rows in small_table])
place = torch.stack([sinusoids(100, size).norm(dim=1).mean() for size in sizes])
root = torch.tensor(sizes) ** 0.5
wb.show.curves(
    {
        "token, scaled": (sizes, token * root),
        "position": (sizes, place),
        "token, not scaled": (sizes, token),
    },
    title="How long the vectors are that are added",
    x_label="d_model",
    y_label="length of the vector",
)

# %% [markdown]
# Without the factor, what a word *is* would drown in where it *stands*, since at $d_{model} = 512$
# the position is 16 times as long. With the factor both grow alike, and the word leads. (That holds
# for a table drawn like this one, with a standard deviation of $1/\sqrt{d_{model}}$, as in the
# authors' code, [tensor2tensor](https://github.com/tensorflow/tensor2tensor), and in lesson 08.)
#
# *The same as torch's?* (This cell is optional.) `torch.nn` has the table, `nn.Embedding`, but
# neither the factor nor the positions, which `nn.Transformer` leaves to you. If we give both the
# same table, your module differs from torch's by the factor alone.

# %% name="compare-with-torch"
mine, theirs = wb.use("TokenEmbedding")(10, 16), nn.Embedding(10, 16)
theirs.load_state_dict(mine.embedding.state_dict())
numbers = torch.tensor([[3, 1, 4, 1], [5, 9, 2, 6]])
factor = mine(numbers) / theirs(numbers)
print(f"yours / torch's: from {factor.min():.4f} to {factor.max():.4f}")

# %% [markdown]
# ## Your turn: learned positions
#
# Why should we compute the positions, if a model can learn them? We could give each position a row
# in a table of `max_len` rows, as each token has one. The authors tried, and although the results
# were "nearly identical" (Table 3, row E), they kept the sinusoids, because these *may* extend to
# longer sentences (section 3.5). In fact a model is lost at positions that it has never seen,
# computed or not, as you'll see in lesson 15. BERT and GPT-2 chose such **learned positional
# embeddings**, and now you write a module for them.
#
# You've written most of this module already, so one blank is left, the ids by which we look up the
# rows.
#
# <details><summary>The fine print</summary>
#
# - Make the ids on the device of `x`.
# - The table may also be an `nn.Parameter`, whose rows are sliced.
# - Dropout acts on the sum, as before.
#
# </details>

# %% answer="LearnedPositionalEmbedding"

# %% check="LearnedPositionalEmbedding"

# %% name="hint-learned"
wb.hint("learned_position")

# %% [markdown]
# | | sinusoidal | learned |
# |---|---|---|
# | parameters | none | `max_len` times `d_model` |
# | before training | near positions look alike | all are about equally far apart |
# | past `max_len` | can be computed, but was never trained | there is no row |
#
# ## Three words back
#
# What else speaks for sinusoids? The authors give one more reason (section 3.5), which is that for
# a fixed distance $k$, a *linear* function makes the encoding of $pos + k$ from that of $pos$. As
# the clocks show, this function turns each hand by a fixed angle, $k$ times its rate, wherever the
# hand started. For a hand at angle $a$ that turns by $b$, the new sine is
#
# $$\sin(a + b) = \sin a \cos b + \cos a \sin b$$
#
# and the new cosine is another such combination. It is linear because $\cos b$ and $\sin b$ are
# fixed numbers, the same at every position, and we only multiply $\sin a$ and $\cos a$ by them and
# add up. With $k = -3$ the hands turn back, so a model can learn "three words back" once, for all
# positions.
#
# ## Bug hunt
#
# The function below moves encodings by some steps. It turns each pair of features, without being
# told to which positions they belong. It runs, and its result has the right shape, but there are
# **two bugs** in it. Find and fix them. As in `sinusoidal_encoding`, `0::2` and `1::2` are the even
# and the odd features.
#
# To test it, ask what should come out after 0 steps, and remember that a hand that is only turned
# keeps its length.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# Stuck? There are hints for the bug hunt, too.

# %% name="hint-bug-hunt"
wb.hint("bug_hunt_1")

# %% [markdown]
# Once it's fixed, try it on your own encoding. If we move all rows but the first three back by 3
# steps, we should get all rows but the last three. We read the rates from row 1, where the angle
# *is* the rate.

# %% name="shift-your-encoding"
waves = sinusoids(40, 16)
rates = torch.atan2(waves[1, 0::2], waves[1, 1::2])
moved = shift(waves[3:], rates, -3)
print(f"largest difference: {(moved - waves[:-3]).abs().max():.4f}")

# %% [markdown]
# In some pictures of this encoding, and in the authors' own library, all sines stand on the left
# and all cosines on the right. That works as well, but a model trained with one order can't run
# with the other.
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** We could tell the model the position by one more feature that holds the number 0,
# 1, 2, 3, ... itself. Give two reasons why the authors did something else.

# %% [markdown] rubric="1"
# 1 point for each of two of these: the number grows without bound, so that in long sentences it
# outweighs everything else (or, divided by the length, the step between neighbors would differ from
# sentence to sentence); lengths not seen in training give values never seen; scaled down, one
# feature out of 512 hardly counts in a dot product, while sinusoids are spread over all features;
# with sinusoids a shift by k is one linear map, the same at every position, so that attention can
# learn relative places; near positions are alike at several scales, fast and slow.

# %% [markdown] model="1"
# First, the number grows without bound. In a long text it is far larger than all other features,
# and lengths that training did not have bring values that the model has never seen. Second, scaled
# down, one feature out of 512 hardly counts in a dot product. Sinusoids stay between -1 and 1, are
# spread over all features, and a shift by k positions is the same linear map everywhere, so
# attention can learn relative positions.

# %% [markdown] question="2" points="2"
# **Question 2.** A friend copies a positional encoding that was made for tensors `(T, N, D)`, with
# rows `(T, 1, D)`, and gives it `(N, T, D)`. It runs, and the loss goes down. What does each word
# get added now, and why do neither the shapes nor the falling loss show that something is wrong?

# %% [markdown] rubric="2"
# 1 point: the position is counted along the batch: all words of one sentence get the same vector,
# that of the sentence's number in the batch; an encoder cannot see the words' order. 1 point: the
# sum broadcasts, so all shapes are as they should be; and the loss falls all the same, because much
# can be learned from the words alone, without their order (a bag of words). It shows only against
# a comparison, such as: permuting the words only permutes the results.

# %% [markdown] model="2"
# The code counts along the first axis, which is now the batch, so every word of sentence 0 gets the
# vector of position 0, and every word of sentence 1 that of position 1. An encoder then does not
# see their order. The shapes are right because the sum broadcasts, and the loss falls because much
# can be learned from the words alone, without their order. A test would show the bug, because
# permuting the words of a sentence only permutes the results.

# %% [markdown]
# ## In its place
#
# Words are vectors now, scaled so that their meaning counts, and each carries its position. That is
# all that enters the Transformer, and from here on it sees only these sums. With your embeddings
# and your positions, on both of its sides, the translator knows which word stands before which:

# %% name="with-yours"
wb.translator.with_yours(
    "TokenEmbedding", "sinusoidal_encoding", "PositionalEncoding", sentences=(384, 483, 300008)
)

# %% [markdown]
# Next we ask which positions may look at which. In lesson 06 you build the **masks**, which hide
# padding, and keep a decoder from looking into the future. The lesson begins with a translator that
# has lost the first of these, the mask that hides padding. We send the numbers 7, 40 and 999999
# through it together, the short ones filled up to the length of the long one. Guess before you open
# the lesson which of the three will come out wrong.

# %% name="progress"
wb.progress()
