"""Words for a drawn diff, and a reader of HTML that says what is in it."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

from engine.revision.showing.comparison import Comparison, compare_for_reading
from engine.revision.showing.diff_html import DiffDrawing, DiffLook, View
from engine.revision.showing.diff_words import DiffWords
from engine.revision.showing.pieces import Grain

WORDS = DiffWords(
    language="en",
    region="What changed",
    gone="deleted:",
    new="inserted:",
    moved="moved:",
    unchanged_paragraphs=lambda n: f"{n} paragraphs unchanged",
    unchanged_lines=lambda n: f"{n} lines unchanged",
    unchanged_characters=lambda n: f"{n} characters unchanged",
    show="show",
    moved_from=lambda side: f"moved from {side.paragraph or 0}",
    moved_to=lambda side: f"moved to {side.paragraph or 0}",
    turns_around="This line turns around.",
    looks_the_same="Looks the same.",
)
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style><script>x</script>",
    "</div></span></ins></del><svg onload=alert(1)>",
    "&lt;b&gt; &amp; &#60;i&#62;",
    "<!-- comment --> <![CDATA[x]]> <?php ?>",
    "[link](javascript:alert(1)) ![x](http://evil.test/a.png) `code` **bold** $x$",
    "javascript:alert(1)",
    "user\u202e\u2066 // admin\u2069\u2066",
    "\u2069\u2069\u202c out of every isolate",
    "\x00\x01\x1b[31m\x7f\x85",
    "\ud83d alone \udc00",
    "a\u200bb\ufeffc\u00a0d\u3000e",
    "</textarea></title></template><base href=//evil.test>",
)
PAGE_TAGS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "p", "ol", "li", "main"}
TAGS = {"div", "span", "del", "ins", "button", "a", "bdi", "details", "summary"}
ATTRIBUTES = {"class", "id", "dir", "lang", "style", "role", "type", "tabindex", "href", "aria-label", "aria-current"}
_DATA = {"data-l", "data-go", "data-fold", "data-diff"}


@dataclass(kw_only=True)
class Element:
    """One element that is open."""

    tag: str
    classes: frozenset[str]


@dataclass
class Seen(HTMLParser):
    """What a browser would find: tags, attributes, and the text of each side."""

    tags: set[str] = field(default_factory=set)
    odd: list[str] = field(default_factory=list)
    """What is not one of ours."""
    sides: dict[str, str] = field(default_factory=dict)
    """The text inside cells, by the letter of their side."""
    without: dict[str, str] = field(default_factory=dict)
    """The text outside `del` and outside `ins`."""

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[Element] = []

    def __hash__(self) -> int:
        return id(self)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.tags.add(tag)
        if tag != "meta":
            self.open.append(Element(tag=tag, classes=frozenset((found.get("class") or "").split())))
        page = {"charset", "http-equiv", "content"} if tag == "meta" else set()
        self.odd += [f"{tag} {name}" for name in found if name not in ATTRIBUTES | _DATA | page]
        if tag == "a" and not (found["href"] or "").startswith("#"):
            self.odd.append(f"a {found['href']}")
        if "style" in found and not (found["style"] or "").startswith("--gone:"):
            self.odd.append(f"style {found['style']}")

    def handle_endtag(self, tag: str) -> None:
        if self.open.pop().tag != tag:
            self.odd.append(f"/{tag}")

    def handle_comment(self, data: str) -> None:
        self.odd.append(f"comment {data}")

    def handle_decl(self, decl: str) -> None:
        if decl != "doctype html":
            self.odd.append(decl)

    def handle_pi(self, data: str) -> None:
        self.odd.append(data)

    def handle_data(self, data: str) -> None:
        classes = {each for element in self.open for each in element.classes}
        tags = {element.tag for element in self.open}
        if "t" not in classes:
            return
        for side in classes & {"o", "n", "b"}:
            self.sides[side] = self.sides.get(side, "") + data
        for tag in {"del", "ins"} - tags:
            self.without[tag] = self.without.get(tag, "") + data


def seen(html: str) -> Seen:
    parser = Seen()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    return parser


def a_look(
    view: View = View.SIDE_BY_SIDE,
    *,
    grain: Grain = Grain.WORD,
    hides_spaces: bool = False,
    counts_lines: bool = False,
) -> DiffLook:
    return DiffLook(
        view=view, grain=grain, wraps=True, hides_spaces=hides_spaces, counts_lines=counts_lines, prefix="d"
    )


def drawn(old: str, new: str, view: View = View.SIDE_BY_SIDE, look: DiffLook | None = None) -> str:
    """Every row of the comparison, nothing folded."""
    comparison = compare_for_reading(old, new)
    return DiffDrawing(comparison, look or a_look(view), WORDS).part(range(len(comparison.rows)))


def rows_of(old: str, new: str) -> list[tuple[str, str | None, str | None]]:
    """Kind and both texts of each row."""
    comparison: Comparison = compare_for_reading(old, new)
    script = comparison.diff.display
    return [
        (
            row.kind.value,
            None if row.old is None else script.old[row.old.start : row.old.end],
            None if row.new is None else script.new[row.new.start : row.new.end],
        )
        for row in comparison.rows
    ]
