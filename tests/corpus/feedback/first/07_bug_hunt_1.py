# %% wrong: still_one_member | TRUE CAUSE: the list is an nn.ModuleList now, but it still repeats one and the same member
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


# %% wrong: still_hidden | TRUE CAUSE: each member is new now, but they are still kept in a plain list, where PyTorch does not find them
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


# %% wrong: scores_averaged | TRUE CAUSE: both bugs are repaired, but the scores are averaged before the softmax instead of the votes after it
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList()
        for _ in range(num_members):
            self.members.append(nn.Linear(num_features, num_classes))

    def forward(self, x):
        scores = torch.stack([member(x) for member in self.members])
        return scores.mean(dim=0).softmax(dim=-1)
