"""Columns of a table that are wide enough for what stands in them."""

import pandas as pd
import pytest

from pages._widgets.column_widths import MOST, wide_enough


@pytest.mark.parametrize(
    ("cells", "width"),
    [(["", "passed 2"], 84), (["", "✕ 待改 2"], 86), (["长" * 90], MOST)],
    ids=["latin", "chinese", "too-long"],
)
def test_one_filled_cell_among_empty_ones_has_room(cells: list[str], width: int) -> None:
    frame = pd.DataFrame({"4. 登录": cells, "other": cells})
    (column,) = wide_enough({"4. 登录": frame["4. 登录"]}).values()
    assert column["width"] == width
