"""The sentences of rules that are seen or said in known words, in both languages, each written for itself."""

from collections.abc import Mapping

from engine.domain.preference import Aspect, Direction
from engine.domain.states import Language

_EN: Mapping[tuple[Aspect, Direction], str] = {
    (Aspect.TEXT, Direction.LESS): "Keep the whole text short.",
    (Aspect.TEXT, Direction.MORE): "Write in more detail.",
    (Aspect.SENTENCES, Direction.LESS): "Write short sentences.",
    (Aspect.SENTENCES, Direction.MORE): "Write longer, flowing sentences.",
    (Aspect.PARAGRAPHS, Direction.LESS): "Keep paragraphs short.",
    (Aspect.PARAGRAPHS, Direction.MORE): "Write longer paragraphs.",
    (Aspect.FORMALITY, Direction.LESS): "Keep the tone lively and natural, the way people talk.",
    (Aspect.FORMALITY, Direction.MORE): "Write in a formal tone.",
    (Aspect.EXCLAMATIONS, Direction.LESS): "Use no exclamation marks.",
    (Aspect.EXCLAMATIONS, Direction.MORE): "Exclamation marks are welcome.",
    (Aspect.SECOND_PERSON, Direction.LESS): "Do not address the reader.",
    (Aspect.SECOND_PERSON, Direction.MORE): "Address the reader as “you”.",
    (Aspect.CONTRACTIONS, Direction.LESS): "Use no contractions.",
    (Aspect.CONTRACTIONS, Direction.MORE): "Use contractions.",
    (Aspect.EMOJI, Direction.LESS): "Use no emoji.",
    (Aspect.EMOJI, Direction.MORE): "Use one emoji.",
    (Aspect.LISTS, Direction.LESS): "Write in paragraphs, not lists.",
    (Aspect.LISTS, Direction.MORE): "Use lists.",
    (Aspect.HEADINGS, Direction.LESS): "Use no headings.",
    (Aspect.HEADINGS, Direction.MORE): "Use headings.",
    (Aspect.SPACING, Direction.LESS): "Put no space between Chinese and Latin characters.",
    (Aspect.SPACING, Direction.MORE): "Put a space between Chinese and Latin characters.",
    (Aspect.PUNCTUATION, Direction.LESS): "Use half-width punctuation in Chinese text.",
    (Aspect.PUNCTUATION, Direction.MORE): "Use full-width punctuation in Chinese text.",
    (Aspect.EXAMPLES, Direction.LESS): "Leave examples out.",
    (Aspect.EXAMPLES, Direction.MORE): "Give examples.",
    (Aspect.LANGUAGE, Direction.LESS): "Write in English.",
    (Aspect.LANGUAGE, Direction.MORE): "Write in Chinese.",
}
_ZH: Mapping[tuple[Aspect, Direction], str] = {
    (Aspect.TEXT, Direction.LESS): "全文写得短一些。",
    (Aspect.TEXT, Direction.MORE): "全文写得详细一些。",
    (Aspect.SENTENCES, Direction.LESS): "用短句。",
    (Aspect.SENTENCES, Direction.MORE): "句子可以长一些、连贯一些。",
    (Aspect.PARAGRAPHS, Direction.LESS): "段落短一些。",
    (Aspect.PARAGRAPHS, Direction.MORE): "段落长一些。",
    (Aspect.FORMALITY, Direction.LESS): "语气活泼些，像平时说话。",
    (Aspect.FORMALITY, Direction.MORE): "语气正式一些。",
    (Aspect.EXCLAMATIONS, Direction.LESS): "不用感叹号。",
    (Aspect.EXCLAMATIONS, Direction.MORE): "可以用感叹号。",
    (Aspect.SECOND_PERSON, Direction.LESS): "不直接称呼读者。",
    (Aspect.SECOND_PERSON, Direction.MORE): "用“你”称呼读者。",
    (Aspect.CONTRACTIONS, Direction.LESS): "英文不用缩写形式。",
    (Aspect.CONTRACTIONS, Direction.MORE): "英文用缩写形式。",
    (Aspect.EMOJI, Direction.LESS): "不用表情符号。",
    (Aspect.EMOJI, Direction.MORE): "用一个表情符号。",
    (Aspect.LISTS, Direction.LESS): "写成连贯的段落，不用列表。",
    (Aspect.LISTS, Direction.MORE): "多用列表。",
    (Aspect.HEADINGS, Direction.LESS): "不用小标题。",
    (Aspect.HEADINGS, Direction.MORE): "加小标题。",
    (Aspect.SPACING, Direction.LESS): "中文和西文之间不加空格。",
    (Aspect.SPACING, Direction.MORE): "中文和西文之间加空格。",
    (Aspect.PUNCTUATION, Direction.LESS): "中文里用半角标点。",
    (Aspect.PUNCTUATION, Direction.MORE): "中文里用全角标点。",
    (Aspect.EXAMPLES, Direction.LESS): "不举例。",
    (Aspect.EXAMPLES, Direction.MORE): "多举例子。",
    (Aspect.LANGUAGE, Direction.LESS): "用英文写。",
    (Aspect.LANGUAGE, Direction.MORE): "用中文写。",
}
SENTENCES: Mapping[Language, Mapping[tuple[Aspect, Direction], str]] = {Language.EN: _EN, Language.ZH: _ZH}
"""One sentence for every aspect but `OTHER`, which has its own words, and for both directions."""
