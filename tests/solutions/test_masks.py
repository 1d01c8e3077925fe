import torch

from transformer import causal_mask, padding_mask, target_mask


def test_padding_is_hidden():
    mask = padding_mask(torch.tensor([[5, 6, 9], [7, 9, 9]]), pad_id=9)
    assert mask.shape == (2, 1, 1, 3) and mask.dtype == torch.bool
    assert mask[:, 0, 0].tolist() == [[True, True, False], [True, False, False]]


def test_the_future_is_hidden():
    mask = causal_mask(3)
    assert mask.shape == (1, 1, 3, 3) and mask.dtype == torch.bool
    assert mask[0, 0].tolist() == [[True, False, False], [True, True, False], [True, True, True]]


def test_target_hides_padding_and_future():
    mask = target_mask(torch.tensor([[5, 6, 0], [0, 7, 8]]), pad_id=0)
    assert mask.shape == (2, 1, 3, 3) and mask.dtype == torch.bool
    assert mask[:, 0].tolist() == [
        [[True, False, False], [True, True, False], [True, True, False]],
        [[False, False, False], [False, True, False], [False, True, True]],
    ]


def test_masks_live_where_the_ids_live():
    ids = torch.zeros(2, 3, dtype=torch.long, device="meta")
    assert target_mask(ids, 0).device.type == "meta"
    assert causal_mask(3, torch.device("meta")).device.type == "meta"
