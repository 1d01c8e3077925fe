# %% [markdown]
# ## This is a Transformer
#
# It is small, and it is trained. It reads a German number word and writes the number in English. In
# this lesson you break it, then build its first part, which cuts a sentence into **heads**, and
# learn to say the shape of a tensor before you run a line. It takes about 65 minutes. You need
# Python, and an idea of what a tensor is.
#
# Run the cell, then type other numbers into its box, as digits or in German.

# %% name="meet-the-translator"
wb.translator.explorer()

# %% [markdown]
# Each row of the picture is a word that the translator writes (later, a *query*). Each column is a
# piece of the German word (a *key*). A dark cell says: *while writing this word, it looked here.*
# An orange frame marks the largest number of a row, and `<eos>` is the end token, which says that
# the sentence is over. Nobody told the translator where to look.
#
# German says the units before the tens: 725 is "sieben-hundert-**fünf**-und-**zwan-zig**". Find the
# place where the translator jumps ahead to "zwan", and then goes back to "fünf".
#
# ## Break it
#
# Let's take out one part at a time and see what fails. The others aren't trained again, and carry
# on as if nothing were missing.
#
# First, the translator no longer knows **where in the sentence** a word is. Which of these three
# will it get wrong? Decide, then run the cell.

# %% name="without-positions"
wb.translator.compare(7, 54, 45, without="positions")

# %% [markdown]
# "vierundfünfzig" and "fünfundvierzig" are made of the same four pieces. Without positions they are
# the same sentence, so they get the same answer, and it is wrong for both. But "sieben" is a single
# piece, so it has no order to lose.
#
# Next, it has four **heads**, which look at four places at once. We leave it just one. What
# will be lost?

# %% name="without-heads"
wb.translator.compare(21, 725, 8305, without="all heads but one")

# %% [markdown]
# In 21 and 725 it still finds "zwan", but loses "ein" and "fünf". In 8305 it finds "fünf" twice,
# once as *fif*teen, and never "drei", so one head can't do the work of four.
#
# While the translator writes, a **mask** keeps each English word from looking at the words after
# it. Without the mask, every new word is seen by all those before it, which never happened in
# training. Which numbers will survive that?

# %% name="without-mask"
wb.translator.compare(725, 24687, 999999, without="causal mask")

# %% [markdown]
# Short numbers survive, while long ones lose whole parts. But the rest is good English, such as
# *nine thousand nine*. A broken model rarely looks broken. It is wrong and still sounds sure of
# itself.
#
# In this course you build every part yourself. The first one cuts a sentence into heads in every
# **attention layer**, a part in which words look at each other. What if the heads have the right
# shape, but the numbers in them are in the wrong places?

# %% name="without-swap"
wb.translator.compare(7, 21, 725, without="swap")

# %% [markdown]
# Not one number is right, and no error comes. (You'll soon see what *by view alone* means.)
#
# ## Your first part: cutting into heads
#
# How can a model be so wrong when all shapes are right? A word reaches it as a vector of numbers,
# its **features**, and each head gets its own share of them.
#
# *By hand.* We take one sentence of two words, with four features and two heads:
#
# | | features | head 0 | head 1 |
# |---|---|---|---|
# | word 0 | 1, 2, 3, 4 | 1, 2 | 3, 4 |
# | word 1 | 5, 6, 7, 8 | 5, 6 | 7, 8 |
#
# Head 0 should become `[[1, 2], [5, 6]]`, with *all* words and *its own* features of each.
#
# We get there in two moves. We **cut** each vector into pieces, with `view`, and then **swap** two
# axes, with `transpose`.
#
# *Predict, then run.* Do you know these two? Write your answers in place of `None`, then run both
# cells.

# %% name="guess-head"
features = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8]])  # 2 words, 4 features each
viewed = None  # the first matrix of features.view(2, 2, 2), such as [[0, 0], [0, 0]]
transposed = None  # the first row of features.transpose(0, 1), as a list such as [0, ...]

# %% name="reveal-head"
wb.reveal(viewed, features.view(2, 2, 2)[0])
wb.reveal(transposed, features.transpose(0, 1)[0])

# %% [markdown]
# If both are right, you may continue at **Fill the blanks**.
#
# ### `view` and `transpose`
#
# In memory, a tensor is one long row of numbers, and its shape only tells us where the lines break.
# `view` gives the *same row* another shape, without moving or copying a number.

# %% name="view"
row = torch.arange(12)
print(row)
print(row.view(3, 4))
print(row.view(3, 2, 2))

# %% [markdown]
# Read the last two aloud, and both say 0, 1, 2, ... in order, since `view` keeps to **row-major**
# order. **The last axis runs fastest, and the order never changes.** In the third output we have
# **cut** each row of 4 into two pieces, printed one below the other.
#
# `transpose(i, j)` swaps two axes, so the number at `[a, b]` moves to `[b, a]`. That is *not*
# another way to break the lines, since the numbers come in a different order:

# %% name="transpose"
table = torch.arange(6).view(2, 3)
print("table            ", table.tolist())
print("table.view(3, 2) ", table.view(3, 2).tolist())
print("transposed       ", table.transpose(0, 1).tolist())

# %% [markdown]
# The last two have the shape `(3, 2)`, so if you use one in place of the other, you don't get an
# error, only wrong numbers. **This is the mistake to remember from this lesson.**

# %% [markdown]
# ## Fill the blanks
#
# A model reads a **batch** of sentences, so its tensors have the shape `(N, T, D)`, for `N`
# sentences of `T` words with `D` features each. (From now on we call a piece of a word, such as
# "zwan", a word, too.)
#
# With $H$ heads of $d_k = D / H$ features (the k is for *key*, see lesson 01), we need the shape
# `(N, H, T, d_k)`. Here is one sentence of three words, its numbers in the order of memory:

# %% name="moves"
wb.show.reshape_moves()

# %% [markdown]
# On the left you see the sentence, and in the middle the result that we need, in which each head
# has all words, but only its own color. On the right, `view` alone has made the same shape, but
# head 0 gets all of word 0 and half of word 1, and never sees word 2.
#
# Each `____` is a **blank** for you to fill, and where a line makes a shape, its comment says
# which. Fill all three, then run the cell, and the **check** below it.

# %% answer="split_heads"

# %% check="split_heads"

# %% [markdown]
# When a check fails, it first shows how your function was called, what it returned, and what we
# expected. If we know your mistake, the check names it, too. Stuck? A blank has the name of the
# variable that its line sets, here `d_k`, `cut` or `heads`, unless a comment in the line gives it
# another, such as `# blank: masked`. Write the name of yours into this cell, and run it, more than
# once if you like:

# %% name="hint"
wb.hint("cut")

# %% [markdown]
# We needn't wait for the rest to try your function, so here it is in every attention layer of the
# translator. (If it didn't pass its check, a **stand-in** takes its place.)

# %% name="with-split"
wb.translator.with_yours("split_heads", sentences=(7, 21, 725))

# %% [markdown]
# ## And back
#
# When all heads have looked, we put their results side by side again (we **concatenate** them), so
# `(N, H, T, d_k)` becomes `(N, T, D)`. To undo two moves, we undo the last one first, so we swap,
# and then join two axes into one. But after a swap, `view` refuses to work.
#
# ### Contiguous, or not
#
# The reason is that `transpose` doesn't move the numbers in memory, but only swaps two **strides**,
# which say how far apart neighbors lie there. In the `table` below, the next row lies 3 numbers
# further on, and the next column 1, while in `swapped` it is the other way round. Such a tensor is
# no longer **contiguous**, because its order and that of its memory differ.

# %% name="contiguous"
table = torch.arange(6).view(2, 3)
swapped = table.transpose(0, 1)
print("strides:", table.stride(), swapped.stride())
print("contiguous?", table.is_contiguous(), swapped.is_contiguous())
try:
    swapped.view(6)
except RuntimeError as error:
    print("view says:", error)
print("reshape says:", swapped.reshape(6).tolist())

# %% [markdown]
# However we break the row in memory into lines, the order of `swapped` never comes out, so `view`
# refuses. We have two ways out:
#
# - `contiguous()` writes a new copy of the numbers, in the order in which you see them, so that
#   `view` works again;
# - `reshape` is `view` where that is possible, and copies first where it is not.
#
# So `reshape` never fails for that reason, but it doesn't swap axes either, because it keeps the
# order that you *see*.
#
# ### What -1 means
#
# When you join the heads, the new last axis gets the length $H \cdot d_k$, but you needn't work
# that out. Since the sizes must multiply to the number of entries, any one of them follows from the
# others, so you may write -1 for it, which tells PyTorch "work this one out yourself". With 12
# numbers, the -1 in `view(2, -1)` becomes 12 / 2 = 6. At most one size can be -1, and don't mix it
# up with the -1 of `dim=-1`, which means "the last axis".
#
# *Predict, then run.* Which three shapes do we get here?

# %% name="guess-view"
x = torch.arange(24).view(2, 3, 4)
first_shape = None  # of x.view(2, -1)
second_shape = None  # of x.view(-1, 2, 4)
third_shape = None  # of x.view(2, 3, 2, -1)

# %% name="reveal-view"
wb.reveal(first_shape, tuple(x.view(2, -1).shape))
wb.reveal(second_shape, tuple(x.view(-1, 2, 4).shape))
wb.reveal(third_shape, tuple(x.view(2, 3, 2, -1).shape))

# %% [markdown]
# The third one is the cut of `split_heads`.
#
# Now you can undo the two moves yourself. (The blanks are `side_by_side` and `merged`.)

# %% answer="merge_heads"

# %% check="merge_heads"

# %% [markdown]
# *The moves, line by line.*
#
# | move | shape | your code |
# |---|---|---|
# | the start | `(N, T, D)` | `x` |
# | how large is a piece? | | the blank `d_k` |
# | cut the last axis in two | `(N, T, H, d_k)` | the blank `cut` |
# | swap words and heads | `(N, H, T, d_k)` | the blank `heads` |
# | swap them back | `(N, T, H, d_k)` | the blank `side_by_side` |
# | join the last two axes | `(N, T, D)` | the blank `merged` |
#
# ## There and back
#
# To see whether the second function undoes the first, we send ten thousand numbers through both, in
# order, and look at the heads on the way. (`wb.use` gives you your own functions, or their
# stand-ins.) We cut 100 features into 4 heads. With which feature of word 0 does each head begin?

# %% name="guess-there-and-back"
first_features = None  # four numbers, for instance (1, 2, 3, 4)

# %% name="reveal-there-and-back"
split, merge = wb.use("split_heads", "merge_heads")
x = torch.arange(10_000).view(5, 20, 100)
heads = split(x, 4)
back = merge(heads)
wb.reveal(first_features, heads[0, :, 0, 0])
print("the same numbers as before?", torch.equal(back, x))

# %% [markdown]
# Each head holds 25 features, so it begins 25 after the one before, and on the way back every
# number returns to its place.
#
# ## Know the shape before you run the line
#
# No error came when the heads were wrong, so how can you notice such a mistake? You have to know
# what should come out *before* you run the line. Many bugs of such models mix up two axes, and if
# both are equally long, no size gives it away. So make it a habit to **write the shape behind each
# line that changes it**, in letters, as our blanks do. We count axes from 0, or from the end, where
# -1 is the last one. So the words of `(N, T, D)` lie along axis 1, or -2.
#
# But which shape comes out if two tensors have different ones? **Broadcasting** lets them work
# together by aligning the two shapes *from the right*. Two sizes fit if they are equal, or if one
# of them is 1 or missing, and then the larger one wins.
#
# *By hand.* If we add tensors of the first two shapes, the sum has the third:
#
# ```
#   (2, 1, 4)
#      (3, 1)
#   ---------
#   (2, 3, 4)
# ```
#
# *Predict, then run.* Write the shape of `a + b` in place of `None`, then run both cells.

# %% name="guess-broadcast"
a = torch.zeros(5, 1, 3)
b = torch.zeros(4, 1)
sum_shape = None  # for instance (5, 3)

# %% name="reveal-broadcast"
wb.reveal(sum_shape, tuple((a + b).shape))

# %% [markdown]
# Broadcasting lets us add one vector to every word of every sentence, but it also lets a bug hide.
# Say we want to add one number for each sentence, `(3,)`, to 3 sentences of 3 words, `(3, 3)`. No
# error comes, but since we align from the right, the numbers go to the words. Only after
# `unsqueeze(-1)` has made them `(3, 1)` do they go to the sentences.
#
# ## Many matrix products at once
#
# Why did we swap the heads to the front, into `(N, H, T, d_k)`? The reason is `@`, which multiplies
# the last two axes as matrices, and takes all axes before them as a batch. So `(..., n, m) @ (...,
# m, p)` gives `(..., n, p)`, and the axes in front of these two broadcast.
#
# *By hand.* In `(8, 2, 3) @ (8, 3, 6)` we multiply eight matrices `(2, 3)` by eight `(3, 6)`. The 3
# is summed away, so we get `(8, 2, 6)`.
#
# *Predict, then run.* Now take a batch of 2 sentences and 3 heads:

# %% name="guess-matmul"
left = torch.randn(2, 3, 5, 4)
right = torch.randn(2, 3, 4, 7)
product_shape = None  # of left @ right

# %% name="reveal-matmul"
wb.reveal(product_shape, tuple((left @ right).shape))

# %% [markdown]
# We get six matrix products without a loop, in one **batched matrix multiplication**. That is why
# we give the heads of an attention layer an axis of their own, in front of the last two, where `@`
# works on all of them at once.

# %% [markdown]
# ## A number that must not count
#
# At the start we took away a mask, which hid the words to come. A mask is a boolean tensor that
# says which numbers take part, so it can hide other things, too. Since the sentences of one batch
# are not equally long, we fill up the short ones with **padding**, and a mask says where the real
# words are. `masked_fill(where, number)` writes the number where its first argument is True, and
# `~` inverts a mask:

# %% name="mask"
scores = torch.tensor([[3.0, 1.0, 9.0], [2.0, 5.0, 4.0]])
real = torch.tensor([[True, True, False], [True, True, True]])
hidden = scores.masked_fill(~real, 0.0)
wb.show.heat_map(
    hidden,
    ["short", "long"],
    ["0", "1", "2"],
    title="Padding hidden",
    mask=real,
    row_axis="sentence",
    column_axis="position in the sentence",
    values="all",
)

# %% [markdown]
# The hatched cell is hidden, and holds the 0 that we wrote there. In this course a mask is **True
# where something may be seen**. Masks broadcast as everything else does, so with `unsqueeze(-1)` we
# make a mask `(N, T)` into `(N, T, 1)`, which hides all features of a word.
#
# *Predict, then run.* The short sentence has two real words, with the numbers 3 and 1, so their
# mean is 2. What does `hidden.mean(dim=1)` return for it?

# %% name="guess-mean"
first_of_hidden_mean = None  # of hidden.mean(dim=1)[0]

# %% name="reveal-mean"
wb.reveal(first_of_hidden_mean, hidden.mean(dim=1)[0])

# %% [markdown]
# It isn't 2, because `mean` doesn't know that one position is empty, and divides by 3. So hiding a
# number isn't enough, and we mustn't count it either.

# %% [markdown]
# ## Bug hunt
#
# The function below should average the words of each sentence, without the padding. Its input comes
# **time first**, `(T, N, D)`, as `nn.LSTM` expects it, and each sentence has at least one word. The
# function runs, and its result has the right shape, but it is wrong, because there are **two bugs**
# in it. Find and fix them. You have met what you need in this notebook, but for one tool. While
# `x.sum(dim=1)` removes axis 1, `x.sum(dim=1, keepdim=True)` keeps it, with length 1, so that the
# result still broadcasts.

# %% answer="bug_hunt_1"

# %% check="bug_hunt_1"

# %% [markdown]
# There are hints for it, too, in `wb.hint("bug_hunt_1")`.
#
# ## In your own words
#
# Answer in a few sentences each. Your instructor reads them.

# %% [markdown] question="1" points="2"
# **Question 1.** `x` has the shape `(N, T, D)`. A friend turns it into heads in one step, with a
# single `view` to `(N, H, T, d_k)`, and the shape is right. What do the heads hold, and why is
# there no error?

# %% [markdown] rubric="1"
# 1 point: `view` keeps the order of the numbers in memory, so each head gets all features of a few
# words, one word behind the other, instead of its own features of all words. 1 point: no error
# comes, since the sizes multiply to the number of entries: a shape says nothing about which number
# is where.

# %% [markdown] model="1"
# The first head holds the features of the first words, all of them, one word behind the other (it
# may end in the middle of one), and not its own features of every word: `view` fills the new shape
# in the order in which the numbers lie in memory. There is no error because the number of entries
# is right, $H \cdot T \cdot d_k$ is $T \cdot D$, and `view` cannot know which order is meant.

# %% [markdown] question="2" points="2"
# **Question 2.** After a swap of two axes, `view` may refuse to work, and `reshape` does not. What
# is the reason, and what does `reshape` do that `view` does not?

# %% [markdown] rubric="2"
# 1 point: after `transpose` the tensor is not contiguous: its order differs from that of its
# memory, and `view` can only give the memory as it is another shape. 1 point: `reshape` copies the
# numbers into a new piece of memory, in the order seen, if it has to (as `contiguous()` does), and
# that costs time and memory.

# %% [markdown] model="2"
# A swap moves no numbers; it only changes the order in which the tensor walks through its memory.
# `view` needs the numbers to lie in the order of the new shape, and after the swap they do not.
# `reshape` then copies them into new memory in the right order, which takes time and space; where
# no copy is needed, it does the same as `view`.

# %% [markdown]
# ## How this course works
#
# All lessons work like this one. Four tools help you, all of them in `wb`, which the first cell has
# imported:
#
# | | |
# |---|---|
# | `wb.check("split_heads")` | tries what you wrote, and tells you what works and what does not |
# | `wb.hint("cut")` | a hint for the blank of that name; run it again for the next of three |
# | `wb.progress()` | the map, with the parts lit that you have built |
# | `wb.reveal(guess, truth)` | shows your guess beside the truth, and where it can, says why |
#
# A part that passes its check is saved as **your own code**, and we build on it in later lessons.
# If one doesn't pass, we use its stand-in, so you can always move on and return later.
#
# You may write a part in any way, since only what it does counts. We keep each lesson's exact rules
# in a box called "The fine print", which you need only where you write a part in a way of your own.
# The rules in this first box hold for every part, unless its lesson says otherwise.
#
# <details><summary>The fine print</summary>
#
# - A part keeps the names that it came with: its own, its arguments' and those that its text
#   mentions.
# - It works for every size, 1 included, in float32 and in float64. The result has the inputs'
#   **dtype**, the type of their numbers, and training can send gradients through it.
# - It changes nothing in place, remembers nothing that changes a later result, and leaves torch's
#   settings as they were (gradients on or off, random numbers, the default dtype).
# - It does the same in training as afterwards, but for dropout, which lesson 01 explains.
#
# </details>
#
# We begin each lesson with what the translator does without one part, and end it with *your* part
# in its place. At the top of this lesson, the list called "translator" has more parts to take out.
#
# ## The map
#
# The model that we build comes from the paper [Attention Is All You
# Need](https://arxiv.org/abs/1706.03762). Seen from far away it is two boxes, an **encoder** that
# reads the source sentence, and a **decoder** that writes the translation. Both use the **tensor
# moves** of this lesson, which are too small for the paper's figure. (The paper's formula in
# section 3.2.2 calls `merge_heads` *Concat*.)

# %% name="where-it-sits"
wb.progress(current=["split_heads", "merge_heads"])

# %% [markdown]
# You have built the outlined box, and later lessons explain the rest. The map grows with each of
# them, until by lesson 08 it is Figure 1 of the paper, and all of it is yours.
#
# ## In its place
#
# At the start, heads cut by `view` alone got no number right. Now we put your two functions into
# every attention layer:

# %% name="with-yours"
wb.translator.with_yours("split_heads", "merge_heads")

# %% [markdown]
# You have two small functions that every attention layer of your Transformer calls, a feeling for
# where the numbers go, and four tools to help you.
#
# In lesson 01 you build **attention** itself, one formula with five blanks. We begin there with a
# translator in which every word looks at all words alike. Before you open it, guess whether that
# translator can still tell 892 from 298.

# %% name="progress"
wb.progress()
