# %% wrong: still_one_member | TRUE CAUSE: registered in a ModuleList, but it is still one and the same layer num_members times
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes)] * num_members
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: still_a_plain_list | TRUE CAUSE: each member is a layer of its own now, but they stay in a plain list, where PyTorch does not find them
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = members

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: one_softmax_at_the_end | TRUE CAUSE: both bugs are repaired, but the logits are averaged and the softmax taken afterwards, so what is averaged is no longer the votes
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x) for member in self.members]
        average = torch.stack(votes).mean(dim=0).softmax(dim=-1)  # (N, num_classes)
        return average

# %% wrong: softmax_over_the_batch | TRUE CAUSE: both bugs are repaired, but the softmax was "corrected" to dim=0, the sentences of the batch, so a row no longer sums to 1
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x).softmax(dim=0) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: mean_over_the_batch | TRUE CAUSE: both bugs are repaired, but the mean was "corrected" to dim=1: it averages over the batch and keeps the members apart
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Linear(num_features, num_classes) for _ in range(num_members)
        )

    def forward(self, x):
        votes = torch.stack([member(x).softmax(dim=-1) for member in self.members])
        return votes.mean(dim=1)

# %% wrong: as_many_as_classes | TRUE CAUSE: both bugs are repaired, but the loop makes num_classes members and not num_members
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_classes):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        return torch.stack(votes).mean(dim=0)

# %% wrong: shared_and_summed | TRUE CAUSE: two mistakes: the member is still one layer repeated, and the votes are summed and not averaged
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList([nn.Linear(num_features, num_classes)] * num_members)

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        return torch.stack(votes).sum(dim=0)
