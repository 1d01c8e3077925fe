# %% wrong: module_list_of_one_member | TRUE CAUSE: only the list is repaired: the nn.ModuleList still holds one and the same member many times
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

# %% wrong: members_in_plain_list | TRUE CAUSE: only the sharing is repaired: the members are in a plain list, where PyTorch does not find their parameters
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

# %% wrong: copies_of_one_member | TRUE CAUSE: the members are deep copies of one Linear: they start with the same numbers, get the same gradients and so vote alike for ever
import copy


class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        member = nn.Linear(num_features, num_classes)
        self.members = nn.ModuleList(copy.deepcopy(member) for _ in range(num_members))

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: softmax_of_the_average | TRUE CAUSE: both bugs are repaired, but in rewriting forward the scores are averaged before the softmax instead of the votes after it
class Committee(nn.Module):
    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        self.members = nn.ModuleList(
            nn.Linear(num_features, num_classes) for _ in range(num_members)
        )

    def forward(self, x):
        scores = torch.stack([member(x) for member in self.members])
        return scores.mean(dim=0).softmax(dim=-1)

# %% wrong: as_many_members_as_classes | TRUE CAUSE: both bugs are repaired, but the list comprehension counts to num_classes instead of num_members
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = [nn.Linear(num_features, num_classes) for _ in range(num_classes)]
        self.members = nn.ModuleList(members)

    def forward(self, x):
        votes = [member(x).softmax(dim=-1) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average

# %% wrong: softmax_over_the_batch | TRUE CAUSE: two mistakes: the members are still one shared object, and the softmax, taken for the second bug, was changed to run over the batch (dim=0) instead of the classes
class Committee(nn.Module):
    """Classify with several members, each with weights of its own, and average their votes."""

    def __init__(self, num_members, num_features, num_classes):
        super().__init__()
        members = nn.ModuleList([nn.Linear(num_features, num_classes)] * num_members)
        self.members = members

    def forward(self, x):
        votes = [member(x).softmax(dim=0) for member in self.members]
        average = torch.stack(votes).mean(dim=0)  # (N, num_classes)
        return average
