# %% wrong: one_member_in_a_module_list | TRUE CAUSE: only one bug is fixed: the members are in an nn.ModuleList now, but the list still holds one and the same nn.Linear num_members times
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


# %% wrong: softmax_of_the_average | TRUE CAUSE: both bugs are fixed, but the softmax was moved behind the average, so the members' scores are averaged instead of their votes
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Linear(num_features, num_classes) for _ in range(num_members)
        )

    def forward(self, x):
        votes = torch.stack([member(x) for member in self.members])
        return votes.mean(dim=0).softmax(dim=-1)  # (N, num_classes)


# %% wrong: plain_list_and_softmax_over_the_batch | TRUE CAUSE: two mistakes: the members are different objects now but still in a plain Python list, where PyTorch does not find them, and the softmax, which was right, now runs over the batch (dim=0)
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_members)]
        self.members = members

    def forward(self, x):
        votes = [member(x).softmax(dim=0) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average
