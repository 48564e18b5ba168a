"""Texts that scopes, operations and edits are tried on."""

GUIDE = """\
# Shop guide

A short guide to the shop program.

It has been used since May.

## Setup

Install Python first.

Then run the installer.

- one
- two

## Usage

Start the shop and log in.

| key | meaning |
|-----|---------|
| q   | quit    |

## Conclusion

Have fun with it.
"""
"""Blocks 1 to 14; its paragraphs are blocks 2, 3, 5, 6, 9 and 12."""
GUIDE_TITLE = "Shop guide"

BRIEF = """\
# 校园二手书交换活动

各位同学，综上所述，本活动旨在促进图书循环利用。

## 一、安装与准备

请于活动前将图书送至服务台。

登记时须出示校园卡。

## 二、活动流程

现场分为三个区域，秩序由志愿者维持。

- 登记
- 交换

## 三、注意事项

请勿携带教材以外的物品入场。
"""
"""Blocks 1 to 11; its paragraphs are blocks 2, 4, 5, 7 and 10."""
BRIEF_TITLE = "校园二手书交换活动"

PLAIN = "第一段话。\n第二段话！\n第三段话？\n"
"""A paragraph a line, without a blank line."""
CODE = 'import sys\n\n\ndef total(prices):\n    """Add."""\n\n    return sum(prices)\n\n\nprint(total([1, 2]))\n'
