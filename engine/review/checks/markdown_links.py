"""`markdown_links`: links and images of Markdown files that lead into the hand-in lead to something there.

Addresses outside (`https:`, `mailto:` …) are never asked: a check reaches nothing outside the work.
"""

import posixpath
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import unquote

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.finding import (
    Check,
    Finding,
    FindingCode,
    Label,
    Param,
    Params,
    ParamType,
    Words,
    place,
    text_of,
)
from engine.review.checks.markdown import Link, Markdown, is_readable, read_markdown
from engine.review.checks.readable import readable
from engine.review.evidence import Evidence

LINKS_LEAD = "links_lead"
LINK_BROKEN = "link_broken"
ANCHOR_BROKEN = "anchor_broken"
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]{0,30}:|//")
_MARKDOWN = (".md", ".markdown")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Broken:
    """A link that leads nowhere, or nobody can tell where."""

    path: str
    link: Link
    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tree:
    """What links can lead to."""

    files: frozenset[str]
    folders: frozenset[str]
    texts: Mapping[str, Markdown]
    """The Markdown files whose anchors are known."""

    def fault(self, path: str, link: Link) -> str | None:
        """The code of what is wrong with a link in the file `path`; None where it leads to something or outside.

        `FILE_UNREADABLE` is of a link to a place in a Markdown file that cannot be read.
        """
        if _SCHEME.match(link.target) or not link.target:
            return None
        name, _, anchor = link.target.partition("#")
        name = unquote(name.partition("?")[0])
        target = _resolved(path, name) if name else path
        if target is None or not (target in self.files or target in self.folders):
            return LINK_BROKEN
        if not anchor or not target.lower().endswith(_MARKDOWN):
            return None
        text = self.texts.get(target)
        if text is None:
            return FindingCode.FILE_UNREADABLE
        return None if unquote(anchor).lower() in text.anchors else ANCHOR_BROKEN


def markdown_links(evidence: Evidence, params: Params) -> Finding:
    """FAIL at the first link by path and line that leads nowhere; NEED_REVIEW if a file cannot be read; else PASS."""
    glob = text_of(params, "files", default="**/*.md")
    files = readable(evidence, glob)
    too_big = [path for path, body in files.texts if not is_readable(body)]
    texts = {path: read_markdown(body) for path, body in files.texts if path not in too_big}
    tree = _tree(evidence, texts)
    faults = list(_faults(tree, texts))
    broken = [fault for fault in faults if fault.code != FindingCode.FILE_UNREADABLE]
    if broken:
        return _leads_nowhere(broken)
    if faults:
        return _not_known(faults)
    left_open = files.left_open(glob, too_big, "Markdown")
    if left_open is not None:
        return left_open
    links = sum(len(text.links) for text in texts.values())
    values: dict[str, str | int] = {"count": len(texts), "links": links}
    return Finding(status=CriterionStatus.PASS, code=LINKS_LEAD, values=values, evidence=files.texts[0][0])


def _faults(tree: _Tree, texts: Mapping[str, Markdown]) -> Iterator[_Broken]:
    for path, text in texts.items():
        for link in text.links:
            code = tree.fault(path, link)
            if code is not None:
                yield _Broken(path=path, link=link, code=code)


def _leads_nowhere(broken: list[_Broken]) -> Finding:
    first = broken[0]
    path, line, target = first.path, first.link.line, first.link.target
    values: dict[str, str | int] = {"path": path, "line": line, "target": target, "count": len(broken)}
    return Finding(status=CriterionStatus.FAIL, code=first.code, values=values, evidence=place(path, line, target))


def _not_known(faults: list[_Broken]) -> Finding:
    first = faults[0]
    values: dict[str, str | int] = {"path": first.link.target.partition("#")[0], "count": len(faults)}
    where = place(first.path, first.link.line, first.link.target)
    return Finding(status=CriterionStatus.NEED_REVIEW, code=FindingCode.FILE_UNREADABLE, values=values, evidence=where)


def _tree(evidence: Evidence, texts: Mapping[str, Markdown]) -> _Tree:
    files = frozenset(file.path for file in evidence.files)
    folders = {""}
    for path in files:
        while path := posixpath.dirname(path):
            folders.add(path)
    known = dict(texts)
    for file in evidence.files:
        if file.path not in known and file.path.lower().endswith(_MARKDOWN) and file.body and is_readable(file.body):
            known[file.path] = read_markdown(file.body)
    return _Tree(files=files, folders=frozenset(folders), texts=known)


def _resolved(path: str, name: str) -> str | None:
    """The path inside the hand-in that `name` means in the file `path`; None where it leads out of it."""
    base = "" if name.startswith("/") else posixpath.dirname(path)
    parts: list[str] = []
    for part in [*base.split("/"), *name.split("/")]:
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)


CHECK = Check(
    name="markdown_links",
    label=Label(en="Links of Markdown files", zh="Markdown 文件里的链接"),
    function=markdown_links,
    params=(
        Param(
            name="files",
            type=ParamType.GLOB,
            label=Label(en="Markdown files", zh="Markdown 文件"),
            default="**/*.md",
        ),
    ),
    codes=(
        LINKS_LEAD,
        LINK_BROKEN,
        ANCHOR_BROKEN,
        FindingCode.TOO_BIG_TO_PARSE,
        FindingCode.NOTHING_TO_CHECK,
        FindingCode.FILE_UNREADABLE,
    ),
    words={
        LINKS_LEAD: {
            Language.EN: Words(reason="All links inside the project lead somewhere (files: {count}, links: {links})."),
            Language.ZH: Words(reason="{count} 个文件里的 {links} 个链接，凡指向项目内部的都有效。"),
        },
        LINK_BROKEN: {
            Language.EN: Words(
                reason="{path}, line {line}: nothing was handed in at {target} (links that lead nowhere: {count}).",
                next_step="In {path}, line {line}, correct the link or add {target}, and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 第 {line} 行：提交里没有 {target}（无效链接共 {count} 个）。",
                next_step="改正 {path} 第 {line} 行的链接，或补上 {target}，再交一次。",
            ),
        },
        ANCHOR_BROKEN: {
            Language.EN: Words(
                reason="{path}, line {line}: there is no place {target} to jump to (links that lead nowhere: {count}).",
                next_step="In {path}, line {line}, name a heading that exists, and hand in again.",
            ),
            Language.ZH: Words(
                reason="{path} 第 {line} 行：找不到要跳转的位置 {target}（无效链接共 {count} 个）。",
                next_step="把 {path} 第 {line} 行的链接改成存在的标题，再交一次。",
            ),
        },
    },
)
