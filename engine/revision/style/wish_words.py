"""How people say style wishes, in Chinese and English: the words that `wishes` looks for, in lower case."""

from engine.domain.preference import Aspect, Direction

EN_LESS = (
    r"(?:(?<!is )(?<!are )(?<!was )(?<!were )(?<!has )(?<!have )no|without|avoid|fewer|less|too many|too much"
    r"|stop using|enough with"
    r"|never use|don['’]?t use|do not use|(?:don['’]?t|do not) (?:add|put in|include|want)|skip|not so many|lose"
    r"|cut down on|go easy on|(?:rather|instead of|than))"
    r"(?: (?:any|the|so many|all|these|using|more|so|of|many|much))*"
)
EN_MORE = (
    r"(?:more|(?<!\bwe )(?<!\bi )(?<!they )(?<!you )us(?:e|ing)|always use|with|include|prefer|some|give|as)"
    r"(?: (?:more|an?|some|one|the|many|several|a few|a couple of|lots of|plenty of))*"
)
ZH_LESS = (
    r"(?:不要|不用|不必|别|不再|少|去掉|删掉|去除|无需|禁用|避免|减少)"
    r"(?:再|加|用|使用|放|出现|写成?|做成?|列)*(?:那么多|这么多|太多|任何|一?些|点|什么)?"
)
ZH_MORE = (
    r"(?<![最至])(?:多用?|用|要有?|来|放|配|加入|给|多给|多?举|加(?:上|几个|一?些|点)|(?:写|列|做|改|整理)成)"
    r"(?:一个|一些|些|点|个|一点|几个)?"
)
ZH_LESS_AFTER = r"(?:都|全|也|全部|统统)?(?:太多|少一?[点些]|过多|不要|去掉|删掉|拿掉|少用|别用|不用)"
ZH_MORE_AFTER = r"(?:多一?[点些]|太少|不够多)"
NOUNS = (
    (Aspect.EMOJI, r"(?:emojis?|smileys?)\b", "(?:emoji|表情符号|表情包|表情|颜文字)"),
    (Aspect.EXCLAMATIONS, r"exclamation (?:marks?|points?)", "(?:感叹号|惊叹号|叹号)"),
    (
        Aspect.LISTS,
        r"(?:(?:bullet(?:ed)? |numbered )?lists?|bullet points?|bullets)\b",
        "(?:列表|分点|要点式|要点|条目)",
    ),
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

_EN_AWAY = r"\b(?:drop|remove|get rid of|leave out|take out|ditch)(?: (?:the|all|any|those|these|your|of))*"
_EN_WHOLE = (
    r"\b(?:it|this|that|text|everything|the whole thing)(?: is| was|['’]s)?(?: (?:a bit|a little|far|way|much|still))?"
)
_EN_SHORTENED = (
    r"\b(?:trim|cut|tighten|condense|boil|shorten)"
    r" (?:it|this|everything|the (?:whole )?text|the whole thing)\b(?! (?:sentence|paragraph|section|line|part|word))"
)
_EN_WRITTEN = (
    r"(?:^|\b(?:write|written|answer|reply|respond|draft|keep|do|say|all|everything|always|now on|text|want)\b)"
    r"[^,]{0,20}?"
)
_ZH_WHOLE = r"(?:^ ?|[,，。；！\s]|文章|全文|整体|整篇|内容|写得|篇幅|文字|稿子|这篇)(?:还是|有点|有些|实在|都)?"

SAID: tuple[tuple[Aspect, Direction, tuple[str, ...]], ...] = (
    (
        Aspect.EMOJI,
        Direction.MORE,
        (
            r"\b(?<!most )(?<!than )(?:add |with |put in )?(?:an|one|a single|some) emoji",
            r"(?<!最多)(?<!至多)(?:加|来|放|用|配)上?一?[个点些] ?(?:emoji|表情)",
        ),
    ),
    (Aspect.EMOJI, Direction.LESS, (rf"{_EN_AWAY} (?:emojis?|smileys?)\b",)),
    (Aspect.EXCLAMATIONS, Direction.LESS, (rf"{_EN_AWAY} exclamation (?:marks?|points?)\b",)),
    (Aspect.HEADINGS, Direction.LESS, (rf"{_EN_AWAY} (?:sub)?headings\b",)),
    (
        Aspect.LISTS,
        Direction.MORE,
        (r"(?<!不要)(?<!别)(?<!不)(?<!不用)分点(?:来)?(?:写|列|说|讲)", r"(?<!不要)(?<!别)(?<!不)逐条", r"用要点的"),
    ),
    (
        Aspect.LISTS,
        Direction.LESS,
        (r"\b(?:in|as|write it as|use|rather have) (?:running text|prose)\b", r"(?:写成|用)(?:一段话|连贯的段落|散文)"),
    ),
    (
        Aspect.EXAMPLES,
        Direction.MORE,
        (r"\billustrate (?:it|this|everything) with\b", r"(?:多|再)?举(?:个|一个|几个|些)例"),
    ),
    (
        Aspect.FORMALITY,
        Direction.MORE,
        (
            r"\b(?:more|be|sound) (?:formal|professional|academic|serious)\b",
            r"\b(?:too|less|not so) (?:casual|informal|lively|chatty|colloquial|flippant)\b",
            r"\bnot (?:formal|professional|academic|serious) enough\b",
            r"(?:太|过于)(?:活泼|随意|随便|口语|轻浮)",
            r"(?:别|不要|不用)(?:太|那么|这么|过于)?(?:活泼|随意|随便|口语|轻浮)",
            r"不够(?:正式|严肃|专业|书面|庄重)",
            r"(?<!太)(?<!别)(?<!么)(?<!要)(?:正式|严肃|书面|庄重|专业)(?:一点|点|一些|些)",
            r"更(?:正式|严肃|专业|书面)",
        ),
    ),
    (
        Aspect.FORMALITY,
        Direction.LESS,
        (
            r"\b(?:too|less|not so|so) (?:formal|stiff|dry|serious|academic|bureaucratic|robotic|wooden|cold)\b",
            r"\b(?:livelier|friendlier)\b",
            r"\bmore (?:lively|casual|relaxed|conversational|friendly|informal|playful|natural|personal|human)\b",
            r"\b(?:warmer|lighter|softer|kinder|friendly|casual|relaxed|conversational) tone\b",
            r"\bnot (?:lively|friendly|casual|natural) enough\b",
            r"\bplain (?:language|words|english)\b",
            r"\bwrite (?:the way|like|as) (?:you|we|i|people) (?:talk|speak)\b",
            r"(?:太|过于)(?:正式|严肃|生硬|死板|书面|官方|刻板)",
            r"(?:别|不要|不用)(?:太|那么|这么)?(?:正式|严肃|生硬|官方|死板|刻板)",
            r"不够(?:活泼|亲切|生动|轻松|自然|口语)",
            r"(?<!太)(?<!别)(?<!么)(?<!要)活泼",
            r"轻松(?:一点|点|些|活泼)",
            r"(?<!太)(?<!么)(?<!于)(?<!别)(?<!要)口语(?:化|一点|点|一些|些)",
            r"接地气",
            r"说人话",
            r"(?:亲切|柔和|温和|友好|自然|平实|朴实|通俗|生动)(?:一点|点|一些|些)",
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
            r"\b(?:split|break) (?:up )?(?:the |your |all )?(?:long )?sentences\b",
            r"\bsentences run on\b",
            r"短句",
            r"(?:句子|每句话?)(?:都|写得)?(?:太长|短一?[点些]|别太长|不要太长|简短)",
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
            r"\bkeep (?:the |your )?paragraphs (?:short|to)\b",
            r"(?:段落|每段)(?:都|写得)?(?:太长|短一?[点些]|别太长|不要太长)",
            r"分段|多分(?:几|一?些)段",
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
            r"(?<!the )\b(?:shorter|more concise|briefer|terser)\b(?! (?:sentences|paragraphs))",
            r"\bkeep (?:it|everything|things) (?:short|brief|concise)\b",
            rf"{_EN_WHOLE} (?:too|so) (?:long|wordy|verbose|long-winded)\b",
            r"^ ?(?:a bit |far |way |still )?too (?:long|wordy|verbose|long-winded)\b",
            _EN_SHORTENED,
            r"\bhalf as long\b|\bnot (?:short|brief|concise) enough\b",
            r"(?:简短|简洁|精简|精炼|简练|凝练|紧凑|短)(?:一点|点|一些|些)",
            rf"{_ZH_WHOLE}太长|(?:太|过于)(?:啰嗦|冗长|拖沓)|不够(?:简洁|精炼|简短|简练)",
            r"(?:别|不要)太(?:长|啰嗦)",
            r"(?:字数|篇幅)(?:再)?(?:压缩|减少|少)|压缩(?:一下)?(?:字数|篇幅)",
        ),
    ),
    (
        Aspect.TEXT,
        Direction.MORE,
        (
            r"\b(?:more detail(?:s|ed)?|at more length)\b|\belaborate\b|\bnot (?:detailed|specific|long) enough\b",
            rf"{_EN_WHOLE} too (?:short|brief|terse)\b",
            r"(?<!the )(?<!no )(?<!a )\blonger\b(?! (?:sentences|paragraphs|than))",
            r"(?<!时间)(?<!期限)(?:详细|具体|丰富|充实|长)(?:一点|点|一些|些)",
            rf"{_ZH_WHOLE}太短|太简略|过于简略|不够(?:详细|具体|充分)",
        ),
    ),
    (
        Aspect.SECOND_PERSON,
        Direction.LESS,
        (
            r"\b(?:do not|don['’]?t|never) (?:address|speak to|talk to) the reader\b",
            r"\bno second person\b",
            r"\b(?:stop|avoid|without) addressing (?:the )?readers?\b",
            r"不要?(?:直接)?称呼读者",
            r"(?:别|不要|不)再?用[“”\"「]?[你您]",
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
            r"(?:中(?:英文?|西文?)|中文[和与跟](?:英文|西文|数字))之?间?(?:不要|不加|别加|去掉|不留)(?:加|有)?(?:空格)",
        ),
    ),
    (
        Aspect.SPACING,
        Direction.MORE,
        (
            r"\bspaces? between (?:chinese|han)\b",
            r"(?:中(?:英文?|西文?)|中文[和与跟](?:英文|西文|数字))(?:字符)?之?间?(?:要|都|统一)*(?:加|留|有)上?一?个?空格",
        ),
    ),
    (
        Aspect.PUNCTUATION,
        Direction.LESS,
        (
            r"\bhalf-?width punctuation\b",
            r"半角|用英文标点",
        ),
    ),
    (
        Aspect.PUNCTUATION,
        Direction.MORE,
        (
            r"\bfull-?width punctuation\b",
            r"全角|用中文标点",
        ),
    ),
    (
        Aspect.LANGUAGE,
        Direction.MORE,
        (
            rf"{_EN_WRITTEN} in chinese\b",
            r"(?:用|写成|改成|换成)中文(?!标点|逗号|句号|引号|命名|名)",
        ),
    ),
    (
        Aspect.LANGUAGE,
        Direction.LESS,
        (
            rf"{_EN_WRITTEN} in english\b",
            r"(?:用|写成|改成|换成)英文(?!标点|逗号|句号|引号|命名|名)",
        ),
    ),
)
"""Everything else that can be said, each with its ways of saying it; the first that fits is taken for an aspect."""

OWN_WORDS = (
    r"\b(?:avoid|less|fewer|more|no|without|use|prefer|stop using|never use|don['’]?t use|do not use|cut down on|drop)"
    r"(?: (?:the|so|such|many|much|any|of|all|more|less|fewer|using))*"
    r" (?:passive(?: voice)?|active voice|first person|adjectives|adverbs|filler words|clich[eé]s|technical terms"
    r"|abbreviations|acronyms|idioms|metaphors|bold|italics|footnotes|semicolons|dashes|parentheses|all caps|slang"
    r"|jokes|humou?r|rhetorical questions)\b"
    "|(?:少|别|不要|不用|避免|多|尽量)(?:再)?(?:用|使用|写)?(?:那么多|这么多|太多|一?些|点)?"
    "(?:被动句|被动语态|主动句|主动语态|第一人称|第三人称|形容词|副词|成语|术语|行话|网络用语|流行语|口头禅|排比|比喻"
    "|倒装句|反问句?|设问句?|括号|破折号|省略号|分号|加粗|粗体|斜体|脚注|敬语|废话|空话)"
)
"""Wishes of style on what no aspect names: they hold in the person's own words."""
ASKED = r"^(?:为什么|为何|怎么|有没有|是不是|是否|why|how come)|[?？]\W*$|[吗么]\W*$"
"""A question, which states nothing."""
NEGATED = (
    r"\b(?:no|not|don['’]?t|can['’]?t|won['’]?t|cannot|never|stop|avoid|enough|without|instead|hardly|at most)\b"
    r"|[不别勿没少无免]|[最至]多"
)
"""Beside the words of a wish for more of something: it is meant otherwise, or it is not understood."""
OF_PARTS = r"\b(?:sentences?|paragraphs?|words?|titles?|names?)\b|[段句词题名]|(?<!文)字(?!数)"
"""Beside a wish that is on the whole text otherwise: it is on these."""
REQUESTED = (
    r"\b(?:can|could|would|will) (?:you|we|it|this)\b|\bplease\b|\b(?:how|what) about\b|\bmaybe\b"
    r"|能不能|可不可以|能否|可否|可以.*吗|能.*吗|好吗|行吗|好不好|要不|请"
)
"""A question that is a wish in polite words."""
