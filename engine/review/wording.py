"""Every finding in words: why, and what to do next. Each language is written for itself.

Those of codes that several checks share stand here, those of one check in its file.

Sentences name the file or the test, never a person's fault, and have no praise in them. Blanks come
from handed-in work: they are cleaned, shortened and put on one line before they stand in a sentence.
"""

from collections.abc import Mapping

from engine.domain.states import CriterionStatus, Language
from engine.review.checks.finding import Finding, FindingCode, Words, shorten
from engine.review.checks.registry import KNOWN_CHECKS

BLANK_CHARACTERS = 60
"""At most so much of a name stands in a sentence; the evidence shows more."""
_NAMES = 3
"""So many names stand in one blank; that there are more is said."""
_LISTS = {"glob": "|", "tests": "\n"}
"""Blanks that hold several names, and what stands between them in a finding."""
_SEPARATORS = {Language.ZH: "、", Language.EN: ", "}
_MORE = {Language.ZH: " 等", Language.EN: " and others"}


def word_reason(finding: Finding, language: Language) -> str:
    """Why the finding is as it is; never blank."""
    return _filled(WORDS[language][finding.code].reason, finding, language)


def word_next_step(finding: Finding, language: Language) -> str | None:
    """What to do about it; None for a pass."""
    template = WORDS[language][finding.code].next_step
    if finding.status is CriterionStatus.PASS or template is None:
        return None
    return _filled(template, finding, language)


def _filled(template: str, finding: Finding, language: Language) -> str:
    return template.format_map({name: _blank(name, value, language) for name, value in finding.values.items()})


def _blank(name: str, value: str | int, language: Language) -> str:
    if isinstance(value, int):
        return str(value) if name == "line" else f"{value:,}"
    names = value.split(_LISTS[name]) if name in _LISTS else [value]
    parts = [shorten(part, BLANK_CHARACTERS) for part in names[:_NAMES]]
    more = _MORE[language] if len(names) > _NAMES else ""
    return _SEPARATORS[language].join(part for part in parts if part) + more


_EN: Mapping[str, Words] = {
    FindingCode.FILE_THERE: Words(reason="{path} is there."),
    FindingCode.FILE_MISSING: Words(
        reason="No file named {glob} was handed in.",
        next_step="Add a file named {glob} and hand in again.",
    ),
    FindingCode.NOTHING_TO_CHECK: Words(
        reason="No file named {glob} was handed in, so there was nothing to check.",
        next_step="Hand in the files named {glob}, or ask your teacher whether this applies to your work.",
    ),
    FindingCode.FILE_UNREADABLE: Words(
        reason="{path} could not be read as text, so this is still open (files like this: {count}).",
        next_step="Save {path} as UTF-8 text within the size limit and hand in again.",
    ),
    FindingCode.TOO_BIG_TO_SEARCH: Words(
        reason="{path} has lines too long to be searched, so this is still open (files like this: {count}).",
        next_step="Break the long lines of {path}, leave out what is generated, or ask your teacher to look at it.",
    ),
    FindingCode.PATTERN_FOUND: Words(reason="Found in {path}, line {line}."),
    FindingCode.PATTERN_MISSING: Words(
        reason="Not found in {glob} (files searched: {count}).",
        next_step="Add what this criterion asks for to {glob} and hand in again.",
    ),
    FindingCode.PATTERN_UNWANTED: Words(
        reason="{path}, line {line}, still holds what should not be there (files concerned: {count}).",
        next_step="Change line {line} of {path}, look for further places, and hand in again.",
    ),
    FindingCode.PATTERN_ABSENT: Words(reason="Found in none of the files searched ({count})."),
    FindingCode.LONG_ENOUGH: Words(reason="{characters} characters; {needed} are asked for."),
    FindingCode.TOO_SHORT: Words(
        reason="{glob} has {characters} of the {needed} characters asked for.",
        next_step="Write more in {glob}, up to {needed} characters or beyond, and hand in again.",
    ),
    FindingCode.PARSED: Words(reason="Readable as {format} from beginning to end (files: {count})."),
    FindingCode.NOT_PARSED: Words(
        reason="{place} cannot be read as {format}.",
        next_step="Open {place}, correct the {format} there, and hand in again.",
    ),
    FindingCode.TOO_BIG_TO_PARSE: Words(
        reason="{path} is too long or too deeply nested to be read as {format}, so this is still open.",
        next_step="Split {path} into smaller files, or ask your teacher to look at it.",
    ),
    FindingCode.TESTS_PASSED: Words(reason="All tests that count here ran and passed ({count} of {count})."),
    FindingCode.TESTS_FAILED: Words(
        reason="{count} of {total} tests failed: {tests}.",
        next_step="Run {tests}, correct what breaks, and hand in the work with the new report.",
    ),
    FindingCode.TESTS_NOT_RUN: Words(
        reason="{count} of {total} tests did not run: {tests}. None failed.",
        next_step="Get {tests} to run and hand in the new report.",
    ),
    FindingCode.NO_MATCHING_TEST: Words(
        reason="{path} holds no test named {glob}.",
        next_step="Run the tests named {glob} and hand in their report.",
    ),
    FindingCode.NO_REPORT: Words(
        reason="No test report was handed in, so it is open whether the tests pass.",
        next_step="Run the tests with a JUnit XML report (pytest --junitxml=report.xml) and hand it in with the work.",
    ),
    FindingCode.REPORT_BROKEN: Words(
        reason="The test report {path} breaks at line {line}; {count} results were read, the rest counts as not run.",
        next_step="Produce {path} again and hand it in with the work.",
    ),
    FindingCode.REPORT_REFUSED: Words(
        reason="The test report {path} declares a document type, so for safety it was not read.",
        next_step="Produce {path} with your test tool, without a DOCTYPE, and hand it in with the work.",
    ),
    FindingCode.REPORT_UNREADABLE: Words(
        reason="The test report {path} could not be read as text.",
        next_step="Produce {path} again as UTF-8 within the size limit and hand it in with the work.",
    ),
    FindingCode.NO_MODEL: Words(
        reason="No model is configured, so what must be read for its meaning was not judged.",
        next_step="Show this part to your teacher, or have it reviewed once a model is connected.",
    ),
    FindingCode.WAITS_FOR_TEACHER: Words(
        reason="A teacher decides this, and has not done so yet.",
        next_step="Ask your teacher to look at it.",
    ),
    FindingCode.EVIDENCE_NOT_FOUND: Words(
        reason="Evidence not found: the model's verdict rests on no place that stands in the files.",
        next_step="Have it reviewed again, or ask your teacher to look at it.",
    ),
    FindingCode.NOT_JUDGED: Words(
        reason="The review could not judge this, so it is open.",
        next_step="Have the work reviewed again, or ask your teacher to look at it.",
    ),
}

_ZH: Mapping[str, Words] = {
    FindingCode.FILE_THERE: Words(reason="有 {path}。"),
    FindingCode.FILE_MISSING: Words(
        reason="提交里没有名为 {glob} 的文件。",
        next_step="加上名为 {glob} 的文件，再交一次。",
    ),
    FindingCode.NOTHING_TO_CHECK: Words(
        reason="提交里没有名为 {glob} 的文件，没有可检查的内容。",
        next_step="把名为 {glob} 的文件一起交上来；不清楚这条是否适用，就问老师。",
    ),
    FindingCode.FILE_UNREADABLE: Words(
        reason="{path} 读不出文字，这一条还不能下结论（这样的文件有 {count} 个）。",
        next_step="把 {path} 存成不超过大小上限的 UTF-8 文本，再交一次。",
    ),
    FindingCode.TOO_BIG_TO_SEARCH: Words(
        reason="{path} 有的行太长，没能查完，这一条还不能下结论（这样的文件有 {count} 个）。",
        next_step="把 {path} 的长行拆开，去掉自动生成的文件，或请老师看一下。",
    ),
    FindingCode.PATTERN_FOUND: Words(reason="在 {path} 第 {line} 行找到了。"),
    FindingCode.PATTERN_MISSING: Words(
        reason="在 {glob} 里没有找到（查了 {count} 个文件）。",
        next_step="在 {glob} 里补上这条标准要求的内容，再交一次。",
    ),
    FindingCode.PATTERN_UNWANTED: Words(
        reason="{path} 第 {line} 行还有不该出现的内容（涉及 {count} 个文件）。",
        next_step="改掉 {path} 第 {line} 行，看看别处还有没有，再交一次。",
    ),
    FindingCode.PATTERN_ABSENT: Words(reason="查了 {count} 个文件，都没有出现。"),
    FindingCode.LONG_ENOUGH: Words(reason="共 {characters} 个字符，要求 {needed} 个。"),
    FindingCode.TOO_SHORT: Words(
        reason="{glob} 有 {characters} 个字符，要求 {needed} 个。",
        next_step="把 {glob} 补充到 {needed} 个字符以上，再交一次。",
    ),
    FindingCode.PARSED: Words(reason="{count} 个文件都能完整地按 {format} 读取。"),
    FindingCode.NOT_PARSED: Words(
        reason="{place} 处不能按 {format} 读取。",
        next_step="打开 {place}，改好那里的 {format} 写法，再交一次。",
    ),
    FindingCode.TOO_BIG_TO_PARSE: Words(
        reason="{path} 太长或嵌套太深，没能按 {format} 读取，这一条还不能下结论。",
        next_step="把 {path} 拆成几个小文件，或请老师看一下。",
    ),
    FindingCode.TESTS_PASSED: Words(reason="相关测试都运行并通过了（{count} / {count}）。"),
    FindingCode.TESTS_FAILED: Words(
        reason="{total} 个测试里有 {count} 个没通过：{tests}。",
        next_step="运行 {tests}，改好出错的地方，连同新的测试报告再交一次。",
    ),
    FindingCode.TESTS_NOT_RUN: Words(
        reason="{total} 个测试里有 {count} 个没有运行：{tests}。没有测试失败。",
        next_step="让 {tests} 运行起来，交上新的测试报告。",
    ),
    FindingCode.NO_MATCHING_TEST: Words(
        reason="测试报告 {path} 里没有名为 {glob} 的测试。",
        next_step="运行名为 {glob} 的测试，把它们的报告交上来。",
    ),
    FindingCode.NO_REPORT: Words(
        reason="提交里没有测试报告，还不知道测试能否通过。",
        next_step="运行测试并生成 JUnit XML 报告（pytest --junitxml=report.xml），和作品一起交上来。",
    ),
    FindingCode.REPORT_BROKEN: Words(
        reason="测试报告 {path} 第 {line} 行断了，只读到 {count} 条结果，其余记为未运行。",
        next_step="重新生成 {path}，和作品一起再交一次。",
    ),
    FindingCode.REPORT_REFUSED: Words(
        reason="测试报告 {path} 带有文档类型声明，出于安全没有读取。",
        next_step="用测试工具重新生成不带 DOCTYPE 的 {path}，和作品一起再交一次。",
    ),
    FindingCode.REPORT_UNREADABLE: Words(
        reason="测试报告 {path} 读不出文字。",
        next_step="重新生成 {path}（UTF-8，不超过大小上限），和作品一起再交一次。",
    ),
    FindingCode.NO_MODEL: Words(
        reason="还没有配置模型，需要读懂内容才能判断的这一条没有评。",
        next_step="请老师看这一部分；接上模型后也可以再评审一次。",
    ),
    FindingCode.WAITS_FOR_TEACHER: Words(
        reason="这一条由老师决定，老师还没有给出结论。",
        next_step="请老师看一下这一条。",
    ),
    FindingCode.EVIDENCE_NOT_FOUND: Words(
        reason="没有找到依据：模型的结论在文件里找不到出处。",
        next_step="再评一次，或请老师看一下。",
    ),
    FindingCode.NOT_JUDGED: Words(
        reason="评审没能判断这一条，所以还没有结论。",
        next_step="再评一次，或请老师看一下。",
    ),
}

_SHARED = {Language.ZH: _ZH, Language.EN: _EN}


def _of_checks(language: Language) -> dict[str, Words]:
    """What the checks bring in their own files."""
    return {code: words[language] for check in KNOWN_CHECKS.values() for code, words in check.words.items()}


WORDS: Mapping[Language, Mapping[str, Words]] = {
    language: {**_SHARED[language], **_of_checks(language)} for language in Language
}
