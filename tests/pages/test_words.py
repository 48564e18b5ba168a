"""The two languages: complete, consistent, and free of one inside the other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po
from streamlit.testing.v1 import AppTest

import pages
from engine import errors
from engine.domain.feedback import TraceCode
from engine.domain.states import Language
from engine.feedback.validity import ProblemCode
from engine.work.git_address import GitProblem
from engine.work.unpack import HandInProblem
from pages._widgets import trace
from pages._widgets.errors import SENTENCES, blanks, sentence
from pages._widgets.words import CATALOGUE, choose, in_a_row, translator

PAGES = Path(pages.__file__).parent
LATIN_IN_CHINESE = {
    "CSV",
    "Canvas",
    "Excel",
    "GB",
    "Markdown",
    "UTF",
    "YAML",
    "py",
    "src",
    "tutorloop",
    "worker",
    "xlsx",
    "JSON",
    "JUnit",
    "MB",
    "Moodle",
    "PostgreSQL",
    "SQLite",
    "TUTORLOOP_DATA",
    "TUTORLOOP_DATABASE_URL",
    "TUTORLOOP_MODE",
    "TUTORLOOP_MODEL_URL",
    "TUTORLOOP_WINDOW_TOKENS",
    "XML",
    "git",
    "http",
    "https",
    "pg_dump",
    "local",
    "node_modules",
    "zip",
}
"""Names that have no Chinese form."""


def used_messages() -> set[str]:
    """Every English sentence that the pages mark for translation; of a plural pair the first."""
    found = extract_from_dir(PAGES, method_map=[("**.py", "python")], directory_filter=lambda _folder: True)
    return {message if isinstance(message, str) else message[0] for _file, _line, message, _comments, _context in found}


def catalogue() -> Catalog:
    """The Chinese catalogue as it stands in the file."""
    with CATALOGUE.open("rb") as file:
        return read_po(file, locale="zh")


def translations() -> Iterator[tuple[str, str]]:
    """Every English sentence of the catalogue with each of its Chinese ones."""
    for message in catalogue():
        if message.id:
            english = message.id if isinstance(message.id, str) else message.id[-1]
            chinese = (message.string,) if isinstance(message.string, str) else (message.string or ())
            yield from ((english, each) for each in chinese)


def test_the_pages_use_words_from_every_folder() -> None:
    assert {"Tutor", "Passed", "Sign in", "(picture not shown)"} <= used_messages()


def test_every_sentence_has_a_chinese_one_and_the_catalogue_has_no_other() -> None:
    kept = {message.id if isinstance(message.id, str) else message.id[0] for message in catalogue() if message.id}
    assert kept == used_messages()


def test_no_sentence_is_marked_inside_an_f_string_where_the_catalogue_tool_does_not_look() -> None:
    hidden = [
        f"{path.name}:{call.lineno}"
        for path in PAGES.rglob("*.py")
        for text in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(text, ast.JoinedStr)
        for call in ast.walk(text)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"_", "N_", "ngettext"}
        and any(isinstance(argument, ast.Constant) for argument in call.args)
    ]
    assert hidden == []


def test_nothing_in_the_catalogue_is_empty_or_doubtful() -> None:
    assert [english for english, chinese in translations() if not chinese.strip()] == []
    assert [message.id for message in catalogue() if message.id and message.fuzzy] == []


def test_both_languages_fill_the_same_blanks() -> None:
    assert [english for english, chinese in translations() if blanks(english) != blanks(chinese)] == []


def test_a_chinese_sentence_has_no_latin_words_but_names() -> None:
    words = {
        word
        for _english, chinese in translations()
        for word in re.findall(r"[A-Za-z][A-Za-z_]+", re.sub(r"\{[^}]*\}", "", chinese))
    }
    assert words <= LATIN_IN_CHINESE


@pytest.mark.parametrize(
    ("fault", "pattern"),
    [
        ("Han beside a Latin letter or a digit", r"[\u4e00-\u9fff][A-Za-z0-9`{]|[A-Za-z0-9`}][\u4e00-\u9fff]"),
        ("half-width punctuation", r"[\u4e00-\u9fff}][,;:!?()]"),
        ("an exclamation mark", r"[!\uff01]"),
        ("the formal you", "您"),
        ("slanted Chinese", r"(?<!\*)\*[\u4e00-\u9fff][^*]*\*(?!\*)"),
        ("bold that ends in punctuation, whose stars are shown", r"\*\*[^*]*[，。：；！？）”]\*\*[^\s，。：]"),
    ],
)
def test_chinese_is_set_as_the_house_sets_it(fault: str, pattern: str) -> None:
    assert [chinese for _english, chinese in translations() if re.search(pattern, chinese)] == [], fault


def test_english_makes_no_exclamations_and_contracts_nothing() -> None:
    assert [message for message in used_messages() if re.search(r"!|\b\w+n't\b|\b(?:it|we|you)'", message)] == []


@pytest.mark.parametrize(
    ("wishes", "language"),
    [
        (("zh", None, None), Language.ZH),
        ((None, "zh", "en-GB"), Language.ZH),
        ((None, None, "zh-CN"), Language.ZH),
        ((None, None, "zh_Hant_TW"), Language.ZH),
        (("fr", None, "zh-CN"), Language.ZH),
        ((None, None, "de-DE"), Language.EN),
        ((None, None, None), Language.EN),
        (("", "", ""), Language.EN),
    ],
)
def test_the_first_wish_that_is_a_language_of_ours_wins(wishes: tuple[str | None, ...], language: Language) -> None:
    assert choose(*wishes) is language


def test_english_is_the_source_and_chinese_is_read_from_the_catalogue() -> None:
    assert translator(Language.EN).gettext("Passed") == "Passed"
    assert translator(Language.ZH).gettext("Passed") == "已通过"


def every_error() -> list[type[errors.TutorloopError]]:
    """All classes of the tree of errors, its root first."""
    found = [errors.TutorloopError]
    for kind in found:
        found += kind.__subclasses__()
    return found


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.__name__)
def test_every_error_has_a_sentence_that_can_always_be_said(kind: type[errors.TutorloopError]) -> None:
    assert kind.code in SENTENCES
    if kind is not errors.CourseFileError:
        assert blanks(SENTENCES[kind.code][-1]) == set(), "the last sentence needs no values"


@pytest.mark.parametrize("problem", [*HandInProblem, *GitProblem])
def test_every_problem_of_a_hand_in_has_a_sentence_of_its_own(problem: HandInProblem | GitProblem) -> None:
    assert f"hand_in.{problem}" in SENTENCES


@pytest.mark.parametrize("code", TraceCode)
def test_every_step_of_a_trace_has_a_sentence(code: TraceCode) -> None:
    assert trace.SENTENCES[code]


@pytest.mark.parametrize("problem", ProblemCode)
def test_every_problem_of_a_record_is_said_in_words(problem: ProblemCode) -> None:
    assert trace.PROBLEMS[problem]


def test_no_sentence_belongs_to_an_error_that_does_not_exist() -> None:
    codes = {kind.code for kind in every_error()}
    assert [key for key in SENTENCES if key.partition(".")[0] not in codes] == []


@pytest.mark.parametrize("message", [each for several in SENTENCES.values() for each in several])
def test_an_error_says_what_happened_what_was_kept_and_what_to_do(message: str) -> None:
    kept = r"\b(?:saved|kept|unchanged|intact|Nothing was changed)\b"
    assert re.search(kept, message)
    assert len(re.findall(r"[.;](?: |$)", message)) >= 2


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (errors.RateLimited("busy", retry_after_s=7.6), "Press Answer again in about 8 s."),
        (errors.RateLimited("busy"), "Press Answer again in a few minutes."),
        (errors.CourseFileError("twice", line=42, where="criteria"), "at line 42 (criteria)"),
        (errors.HandInError("no", reason="never_heard_of"), "This work could not be taken."),
    ],
    ids=["with a time", "without a time", "with a place", "unknown reason"],
)
def test_a_sentence_is_as_full_as_the_error_allows(error: errors.TutorloopError, expected: str) -> None:
    assert expected in sentence(error)


def test_what_an_error_quotes_is_shown_and_not_obeyed() -> None:
    error = errors.CourseFileError("bad", line=1, where="![x](http://evil.test) :material/home:")
    assert "![" not in sentence(error)
    assert ":material/" not in sentence(error)


def test_an_error_is_drawn_with_its_details_folded() -> None:
    def script() -> None:
        from engine.errors import InputError, KeyRefused
        from pages._widgets.errors import show_error

        show_error(KeyRefused("401 from the service"))
        show_error(InputError("the date is in the past"))

    drawn = AppTest.from_function(script, default_timeout=10).run()
    assert not drawn.exception
    assert [block.value for block in drawn.code] == [
        "key_refused: 401 from the service",
        "input: the date is in the past",
    ]
    assert len(drawn.error) == 1
    assert any("The model service does not accept the key" in each.value for each in drawn.markdown)


def deferred() -> None:
    from concurrent.futures import ThreadPoolExecutor

    import streamlit as st

    from engine.domain.states import Language
    from pages._widgets.words import _, in_this_language, settle

    settle(Language.ZH)
    make = in_this_language(lambda: _("What changed"))
    with ThreadPoolExecutor(1) as pool:
        st.caption(pool.submit(make).result())
        st.caption(pool.submit(lambda: _("What changed")).result())


def test_what_is_made_for_a_download_later_has_the_words_of_the_page_that_offered_it() -> None:
    at = AppTest.from_function(deferred).run()
    assert [each.value for each in at.caption] == ["改了什么", "What changed"]


def labelled(lang: str, label: str) -> None:
    import streamlit as st

    from engine.domain.states import Language
    from engine.revision.showing.comparison import compare_for_reading
    from pages._widgets.diff_sentences import notes_of
    from pages._widgets.words import settle

    settle(Language(lang))
    st.caption("\n".join(notes_of(compare_for_reading("a\nb", "a\nc\n"), label, "V8")))


@pytest.mark.parametrize(
    ("lang", "label", "said"),
    [
        ("zh", "V7", ("与 V7 相比，", "V7 的最后一行")),
        ("zh", "V7（别人的）", ("与 V7（别人的）相比，", "V7（别人的）的最后一行")),
        ("zh", "《报告》", ("与《报告》相比，", "《报告》的最后一行")),
        ("zh", "初稿", ("与初稿相比，", "初稿的最后一行")),
        ("zh", "draft 稿", ("与 draft 稿相比，", "draft 稿的最后一行")),
        ("en", "V7 (theirs)", ("since V7 (theirs).", "line of V7 (theirs) has")),
    ],
    ids=["a number", "a mark behind", "marks around", "Han", "Latin and Han", "English"],
)
def test_no_space_stands_between_a_full_width_mark_and_what_is_beside_it(
    lang: str, label: str, said: tuple[str, str]
) -> None:
    (caption,) = AppTest.from_function(labelled, args=(lang, label)).run().caption
    assert [each for each in said if each not in caption.value] == []


@pytest.mark.parametrize(
    ("sentences", "row"),
    [
        (["One.", "", "Two."], "One. Two."),
        (["一句。", "两句。"], "一句。两句。"),
        (["一句。", "One.", "两句"], "一句。One. 两句"),
        ([], ""),
    ],
    ids=["latin", "han", "both", "none"],
)
def test_sentences_in_a_row_have_a_space_between_them_only_where_no_wide_mark_brings_room(
    sentences: list[str], row: str
) -> None:
    assert in_a_row(sentences) == row
