"""How people say style wishes, in Chinese and English: the words that `wishes` looks for, in lower case."""

from engine.domain.preference import Aspect, Direction

EN_LESS = (
    r"(?:no|without|avoid|fewer|less|too many|too much|stop using|never use|don['’]?t use|do not use|skip|not so many"
    r"|lose|cut down on)(?: (?:any|the|so many|all|these|using|more))*"
)
EN_MORE = r"(?:more|use|using|always use|with|include|prefer|some|give)(?: (?:more|an?|some|one|the))*"
ZH_LESS = r"(?:不要|不用|别用?|少用?|去掉|删掉|没有|无需|禁用|避免|减少)(?:那么多|这么多|太多|任何|再用?|一?些|点)?"
ZH_MORE = r"(?:多用?|用|要有?|来|放|配|加入|给|多给|多举)(?:一个|一些|些|点|个|一点|几个)?"
ZH_LESS_AFTER = r"(?:太多|少一?[点些]|过多|不要|去掉|删掉|少用)"
ZH_MORE_AFTER = r"(?:多一?[点些]|太少)"
NOUNS = (
    (Aspect.EMOJI, r"(?:emojis?|smileys?)\b", "(?:emoji|表情符号|表情包|表情|颜文字)"),
    (Aspect.EXCLAMATIONS, r"exclamation (?:marks?|points?)", "(?:感叹号|惊叹号|叹号)"),
    (Aspect.LISTS, r"(?:(?:bullet(?:ed)? |numbered )?lists?|bullet points?|bullets)\b", "(?:列表|分点|要点式)"),
    (Aspect.HEADINGS, r"(?:sub)?headings?\b", "(?:小标题|分标题)"),
    (Aspect.CONTRACTIONS, r"contractions?\b", "(?:缩写形式|英文缩写|缩写)"),
    (Aspect.EXAMPLES, r"examples?\b", "(?:例子|示例|实例|举例)"),
    (
        Aspect.FORMALITY,
        r"(?:jargon|formal words|big words|formal language|officialese)\b",
        "(?:书面语|套话|官话|客套话|公文腔)",
    ),
)
"""Things that are counted: how they are called, in English and in Chinese."""

SAID: tuple[tuple[Aspect, Direction, tuple[str, ...]], ...] = (
    (
        Aspect.EMOJI,
        Direction.MORE,
        (
            r"\b(?:add |with |put in )?(?:an|one|a single|some) emoji",
            r"(?:加|来|放|用|配)上?一?[个点些] ?(?:emoji|表情)",
        ),
    ),
    (
        Aspect.FORMALITY,
        Direction.MORE,
        (
            r"\b(?:more|be|sound) (?:formal|professional|academic|serious)\b",
            r"\b(?:too|less|not so) (?:casual|informal|lively|chatty|colloquial)\b",
            r"太(?:活泼|随意|随便|口语|轻浮)",
            r"(?:别|不要)(?:太|那么)?(?:活泼|随意|口语)",
            r"(?<!太)(?<!别)(?<!么)(?<!要)(?:正式|严肃|书面|庄重|专业)(?:一点|点|一些|些)",
            r"更(?:正式|严肃|专业|书面)",
        ),
    ),
    (
        Aspect.FORMALITY,
        Direction.LESS,
        (
            r"\b(?:too|less|not so|so) (?:formal|stiff|dry|serious|academic)\b",
            r"\blivelier\b",
            r"\bmore (?:lively|casual|relaxed|conversational|friendly|informal|playful)\b",
            r"\bfriendlier\b",
            r"\bin plain (?:language|words|english)\b",
            r"太(?:正式|严肃|生硬|死板|书面|官方)",
            r"(?:别|不要|不用)(?:太|那么|这么)?(?:正式|严肃|生硬|官方|死板)",
            r"(?<!太)(?<!别)(?<!么)(?<!要)活泼",
            r"轻松(?:一点|点|些|活泼)",
            r"口语化",
            r"接地气",
            r"亲切(?:一点|点|些)",
            r"像(?:平时)?说话",
        ),
    ),
    (
        Aspect.SENTENCES,
        Direction.LESS,
        (
            r"\bshort(?:er)? sentences\b",
            r"\bsentences (?:are |were )?(?:too|so) long\b",
            r"\bkeep (?:the |your )?sentences short\b",
            r"\bsplit (?:up )?(?:the )?long sentences\b",
            r"短句",
            r"句子(?:太长|短一?[点些]|别太长|不要太长|简短)",
        ),
    ),
    (
        Aspect.SENTENCES,
        Direction.MORE,
        (
            r"\blonger sentences\b",
            r"\bsentences (?:are |were )?too (?:short|choppy)\b",
            r"长句",
            r"句子(?:太短|太碎|长一?[点些]|连贯)",
        ),
    ),
    (
        Aspect.PARAGRAPHS,
        Direction.LESS,
        (
            r"\bshort(?:er)? paragraphs\b",
            r"\bparagraphs (?:are |were )?(?:too|so) long\b",
            r"段落(?:太长|短一?[点些]|别太长|不要太长)",
            r"分段",
        ),
    ),
    (
        Aspect.PARAGRAPHS,
        Direction.MORE,
        (
            r"\blonger paragraphs\b",
            r"\bparagraphs (?:are |were )?too short\b",
            r"段落(?:太短|太碎|长一?[点些])",
        ),
    ),
    (
        Aspect.TEXT,
        Direction.LESS,
        (
            r"\b(?:shorter|more concise|briefer|terser)\b(?! (?:sentences|paragraphs))",
            r"\bkeep it (?:short|brief)\b",
            r"\b(?:it|this|text|everything) (?:is |was )?(?:too|so) (?:long|wordy)\b",
            r"^ ?too (?:long|wordy)\b",
            r"(?:简短|简洁|精简|短)(?:一点|点|一些|些)",
            r"(?:文章|全文|整体|内容|写得)?太(?:长|啰嗦|冗长)",
            r"别太长",
            r"不要太长",
        ),
    ),
    (
        Aspect.TEXT,
        Direction.MORE,
        (
            r"\b(?:more detail(?:s|ed)?|at more length)\b",
            r"\b(?:it|this|text) (?:is |was )?too short\b",
            r"\blonger\b(?! (?:sentences|paragraphs))",
            r"(?:详细|具体|长)(?:一点|点|一些|些)",
            r"太(?:短|简略)",
        ),
    ),
    (
        Aspect.SECOND_PERSON,
        Direction.LESS,
        (
            r"\b(?:do not|don['’]?t|never) (?:address|speak to|talk to) the reader\b",
            r"\bno second person\b",
            r"不要?(?:直接)?称呼读者",
            r"别用[“”\"]?[你您]",
        ),
    ),
    (
        Aspect.SECOND_PERSON,
        Direction.MORE,
        (
            r"\b(?:address|speak to|talk to) (?:the reader|readers|students)\b",
            r"\bsecond person\b",
            r"用[“\"]?[你您][”\"]?(?:来)?(?:称呼|写)",
            r"对着?(?:读者|学生|大家)说",
        ),
    ),
    (
        Aspect.SPACING,
        Direction.LESS,
        (
            r"\b(?:no|without) spaces? between (?:chinese|han)\b",
            r"中(?:英文?|西文?)之?间?(?:不要|不加|别加|去掉)(?:空格)",
        ),
    ),
    (
        Aspect.SPACING,
        Direction.MORE,
        (
            r"\bspaces? between (?:chinese|han)\b",
            r"中(?:英文?|西文?)(?:字符)?之?间?(?:要|都|统一)*(?:加|留|有)上?一?个?空格",
        ),
    ),
    (
        Aspect.PUNCTUATION,
        Direction.LESS,
        (
            r"\bhalf-?width punctuation\b",
            r"半角",
        ),
    ),
    (
        Aspect.PUNCTUATION,
        Direction.MORE,
        (
            r"\bfull-?width punctuation\b",
            r"全角",
        ),
    ),
    (
        Aspect.LANGUAGE,
        Direction.MORE,
        (
            r"\b(?:write|answer|reply|be)?\b.{0,20}\bin chinese\b",
            r"(?:用|写成|改成|换成)中文",
        ),
    ),
    (
        Aspect.LANGUAGE,
        Direction.LESS,
        (
            r"\b(?:write|answer|reply|be)?\b.{0,20}\bin english\b",
            r"(?:用|写成|改成|换成)英文",
        ),
    ),
)
"""Everything else that can be said, each with its ways of saying it; the first that fits is taken for an aspect."""
