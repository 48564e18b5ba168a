"""What the offline tutor says, in both languages, each written for itself.

Every entry is a sentence or a labelled line; blanks are filled by name. `{hand_in}` is a phrase of its own
(`hand_in`, `newest_hand_in`); the Chinese one brings the space that a number needs behind it.
"""

from collections.abc import Mapping

from engine.domain.states import Language

_EN: Mapping[str, str] = {
    "i_am_offline": "I am the offline tutor: no model is connected, so I answer by set rules.",
    "hand_in": "submission {number}",
    "newest_hand_in": "your newest hand-in",
    "no_block": "I have no review information here, so I can only go by the task and by what you write.",
    "none": "Nothing has been handed in for this task yet, so there is no review to go by.",
    "stale_rules": "The rules for this task have changed since {hand_in} was reviewed, so that review no longer "
    "counts. A new review is due.",
    "pending": "There is no finished review of {hand_in} yet. Until there is one, I leave older opinions aside.",
    "unavailable": "{hand_in} could not be reviewed: the review service had a fault. That says nothing about your "
    "work. The review has to run again.",
    "invalid": "The record of this review does not hold together, so I do not use it. It needs a system check by "
    "whoever runs this site, and it says nothing about your work.",
    "passed": "Every acceptance criterion was met by {hand_in}. What was open before is settled, and there is "
    "nothing left to do from the review.",
    "passed_ask": "Is there a part of it that you would like to understand better?",
    "learning_note": "A note from the review, for learning only: {note}",
    "status_FAIL": "not met",
    "status_NEED_REVIEW": "not decided yet; it needs evidence, or a person to look at it",
    "first_open": "The first open criterion in the review of {hand_in}: “{criterion}”. It is {status}.",
    "chosen_open": "About “{criterion}”: it is {status}.",
    "explain_open": "This is what the review of {hand_in} says about “{criterion}”:",
    "explain_status": "So the criterion is {status}.",
    "reason": "Why: {text}",
    "evidence": "Where: {text}",
    "no_evidence": "The review names no place to look at.",
    "next_step": "Next: {text}",
    "next_step_FAIL": "Next: look at the place the reason speaks of and find the smallest change that would meet "
    "the criterion.",
    "next_step_NEED_REVIEW": "Next: find out which evidence is missing, and add it or ask your teacher to look.",
    "cut": "Part of this is cut off here, so I read nothing into the rest; the review card has it all.",
    "others_one": "One other criterion is open.",
    "others_many": "{count} other criteria are open.",
    "omitted_one": "One of them stands only on the review card; I do not see it here.",
    "omitted_many": "{count} of them stand only on the review card; I do not see them here.",
    "no_items": "The review lists no open item here; the review card has the details.",
    "ask_tried_so_far": "What have you tried so far?",
    "ask_tried": "What have you tried on this so far?",
    "ask_unclear": "Which part of this is unclear to you?",
    "ask_change": "What exactly did you change, and where can one see it?",
    "ask_result": "What came of it, and what do you see now?",
    "tried": "You write: “{quote}”",
    "only_review_closes": "Only a new review can close “{criterion}”; I cannot. Hand in the new version and it will "
    "be looked at again. Until then it stays open.",
    "only_review_shows": "Whether it holds, only a review can show. Hand in the version you have now.",
    "review_will_show": "Whether it holds, the review of this hand-in will show.",
    "review_again_will_show": "Whether it holds, a new review will show.",
    "no_comparison": "I see only the newest review (of {hand_in}), so I cannot compare it with an earlier one; the "
    "review card does.",
    "task_goal": "The task is “{title}”: {goal}",
    "task_title": "The task is “{title}”.",
    "task_step": "A first step is: {step}",
    "task_criteria": "Your work will be looked at by these criteria:",
    "meanwhile": "Meanwhile we can go on with the task itself.",
    "plan_open": "Here is a plan through what the review of {hand_in} has left open, in its order.",
    "plan_task": "Here is a plan by the steps of the task.",
    "plan_open_title": "What is still open",
    "plan_task_title": "The steps of the task",
    "plan_step": "Work on “{criterion}”",
    "plan_done_FAIL": "You can point to the place in your files that shows it.",
    "plan_done_NEED_REVIEW": "The missing evidence is among your files, or your teacher has been asked to look.",
    "plan_done": "You can show the result of this step.",
}

_ZH: Mapping[str, str] = {
    "i_am_offline": "我是离线导师：没有接入模型，只按固定规则回答。",
    "hand_in": "提交 {number} ",
    "newest_hand_in": "最新的提交",
    "no_block": "我这里没有评审信息，只能依据任务和你写的内容来谈。",
    "none": "这个任务还没有提交过，所以也没有评审可以参考。",
    "stale_rules": "{hand_in}评审之后，这个任务的评审规则变了，那次评审不再算数。需要按新规则重新评审。",
    "pending": "{hand_in}的评审还没有完成。在它出来之前，我不拿旧评审说事。",
    "unavailable": "{hand_in}没有评审成：是评审服务出了故障，不是作品有问题。需要再评审一次。",
    "invalid": "这次评审的记录前后对不上，我不采用它。需要管理员做一次系统检查；这不说明作品好坏。",
    "passed": "{hand_in}达到了全部验收标准。之前的待办都已了结，评审里没有要做的事了。",
    "passed_ask": "这次作品里，有没有哪一处你想弄得更明白？",
    "learning_note": "评审里有一条供学习参考的话：{note}",
    "status_FAIL": "没有达到",
    "status_NEED_REVIEW": "还不能判定，需要补充依据，或者由人来看",
    "first_open": "{hand_in}的评审里，先看这条标准：“{criterion}”，目前{status}。",
    "chosen_open": "说说“{criterion}”这条标准：目前{status}。",
    "explain_open": "关于“{criterion}”，{hand_in}的评审是这样说的：",
    "explain_status": "所以这条标准目前{status}。",
    "reason": "原因：{text}",
    "evidence": "依据：{text}",
    "no_evidence": "评审没有指出具体位置。",
    "next_step": "下一步：{text}",
    "next_step_FAIL": "下一步：找到原因里说的那个地方，想一想最少改什么就能达到标准。",
    "next_step_NEED_REVIEW": "下一步：弄清缺的是哪一项依据，把它补上，或者请老师来看。",
    "cut": "这里有内容被截断了，没显示的部分我不去猜，评审卡上有全文。",
    "others_one": "另外还有 1 条标准没有了结。",
    "others_many": "另外还有 {count} 条标准没有了结。",
    "omitted_one": "其中 1 条只在评审卡上，我这里看不到。",
    "omitted_many": "其中 {count} 条只在评审卡上，我这里看不到。",
    "no_items": "这里没有列出未了结的标准，详情请看评审卡。",
    "ask_tried_so_far": "到现在为止你试过什么？",
    "ask_tried": "这一条你已经试过什么？",
    "ask_unclear": "哪一句还不清楚？",
    "ask_change": "你具体改了哪里，从哪儿能看出来？",
    "ask_result": "结果怎么样，现在看到的是什么？",
    "tried": "你写道：“{quote}”",
    "only_review_closes": "“{criterion}”这一条要等新的评审才能了结，我说了不算。"
    "把新版本交上来，就会重新评审；在那之前它仍然没有了结。",
    "only_review_shows": "改得对不对，要评审了才知道。把现在的版本交上来吧。",
    "review_will_show": "改得对不对，等这次提交的评审出来就知道了。",
    "review_again_will_show": "改得对不对，重新评审一次就知道了。",
    "no_comparison": "我只看得到{hand_in}的评审，没法和更早的比；前后的变化在评审卡上。",
    "task_goal": "任务是“{title}”：{goal}",
    "task_title": "任务是“{title}”。",
    "task_step": "可以先做这一步：{step}",
    "task_criteria": "作品会按这些标准来看：",
    "meanwhile": "在此之前，可以先接着做任务本身。",
    "plan_open": "{hand_in}的评审里还有没了结的标准，按它们的先后排了一份计划。",
    "plan_task": "这份计划按任务的步骤来排。",
    "plan_open_title": "还没有了结的标准",
    "plan_task_title": "任务的步骤",
    "plan_step": "处理“{criterion}”这一条",
    "plan_done_FAIL": "你能在文件里指出体现它的地方。",
    "plan_done_NEED_REVIEW": "缺的依据已经补进文件，或者已经请老师来看。",
    "plan_done": "这一步的成果你拿得出来。",
}

WORDS: Mapping[Language, Mapping[str, str]] = {Language.EN: _EN, Language.ZH: _ZH}
"""Sentence by language and name."""


def name_hand_in(number: int | None, language: Language) -> str:
    """What a submission is called inside a sentence; without a number it is the newest one."""
    words = WORDS[language]
    return words["newest_hand_in"] if number is None else words["hand_in"].format(number=number)
