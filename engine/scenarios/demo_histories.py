"""What the students of the demo course did: plain data, played through the real stores elsewhere.

Work files are real: the code fails and passes as the reports beside it say. Nothing the tutor or a
review says stands here, but for the beginning of the one reply that breaks off; both are made when the
histories are played.
"""

from importlib.resources import files

from engine.domain.course import Learner
from engine.domain.states import CriterionStatus, FeedbackState, Language, ReviewFault
from engine.domain.work import Provenance
from engine.scenarios import demo_chains as chains
from engine.scenarios.demo_steps import (
    Ask,
    BrokenOff,
    Decide,
    DemoHistory,
    HandIn,
    Opens,
    Report,
    Review,
    ReviewBroken,
    ReviewUnavailable,
    RulesChange,
    StepIn,
)
from engine.scenarios.demo_talks import long_talk
from engine.scenarios.demo_texts import DemoWords, build_log, code_files, demo_work


def demo_course_text(language: Language) -> str:
    """The course file of the demo."""
    return (files("engine.scenarios") / f"demo_course.{language}.yaml").read_text("utf-8")


def demo_learners(language: Language) -> tuple[Learner, ...]:
    """The students, in the order in which pages show them."""
    names = _NAMES[language]
    return tuple(Learner(learner_id=learner_id, name=name) for learner_id, name in zip(_IDS, names, strict=True))


def demo_histories(language: Language) -> tuple[DemoHistory, ...]:
    """All histories, the first student's first. Rules of a task change in at most one of them."""
    words = DemoWords(language)
    return (
        _login(words),
        _setup(words),
        _search_not_begun(words),
        _search_by_older_rules(words),
        _listing(words),
        _csv_import(words),
        _tests_timed_out(words),
        _tests_passed(words),
        _deploy(words),
        _storage(words),
        _retrospective(words),
        _errors_not_begun(words),
    )


_IDS = ("student-1", "student-2", "student-3", "student-4", "student-5", "student-6")
_FIRST, _SECOND, _THIRD, _FOURTH, _FIFTH, _SIXTH = _IDS
_NAMES = {
    Language.ZH: ("林晓雨", "陈子昂", "周若宁", "赵一鸣", "吴思远", "何沐阳"),
    Language.EN: ("Maya Lindqvist", "Tom Baker", "Priya Nair", "Daniel Okafor", "Sofia Marchetti", "Jonas Weber"),
}
_CORE, _LIVE = "shop-core", "shop-live"


_REPOSITORY = "https://git.example/maya/book-shop.git"
_COMMIT = "7c1f0a9e4d52b8863f0c2ea1d94b7785e6a3f210"


def _login(words: DemoWords) -> DemoHistory:
    """Two hand-ins; the second leaves one failing test, and one criterion that needs a person or a model."""
    first = words(
        zh="我自己试过，输对密码就能登录，怎么还有三条没达到？",
        en="it lets me in when I type the right password, so why are three of these not met?",
    )
    second = words(
        zh="换成 scrypt 了，打印密码那行也删了。现在还差什么？",
        en="switched to scrypt and took the print out. what is still missing?",
    )
    third = words(
        zh="KeyError 是查字典那行抛出来的。我该用 try 接住，还是先判断账号在不在？两种写法花的时间不一样会有问题吗？",
        en="ok the KeyError comes from the dict lookup. do I catch it there, or check for the account first? "
        "and does it matter that one way is faster?",
    )
    return DemoHistory(
        learner_id=_FIRST,
        project_id=_CORE,
        task_id="login",
        steps=(
            HandIn(files=code_files("login", "auth", "test_login", 1), days_ago=4.2),
            Review(),
            Ask(text=first),
            *chains.report_before(words),
            HandIn(
                files={
                    **code_files("login", "auth", "test_login", 2),
                    "ci/build.log": build_log(),
                    chains.REPORT: chains.report_handed_in(words),
                },
                version=(chains.REPORT, chains.HANDED_IN),
                days_ago=0.9,
                note=words(
                    zh="os: Debian 12\npython: 3.11\n运行：pip install -r requirements.txt && pytest",
                    en="os: Debian 12\npython: 3.11\nrun: pip install -r requirements.txt && pytest",
                ),
                provenance=Provenance(address=_REPOSITORY, wanted="main", commit_id=_COMMIT),
            ),
            ReviewUnavailable(fault=ReviewFault.INTERRUPTED),
            Review(),
            *chains.report_after(words),
            Ask(text=second),
            Ask(text=third),
        ),
        ends_in=FeedbackState.CURRENT,
    )


def _setup(words: DemoWords) -> DemoHistory:
    """A thin README, then one that meets everything."""
    question = words(
        zh="README 要写多长才够？我觉得一句“运行 app.py”已经说清楚了。",
        en='how long does a readme have to be? "start it with app.py" says it all, I thought',
    )
    requirements = "flask==3.1.0\npytest==8.4.1\n"
    return DemoHistory(
        learner_id=_FIRST,
        project_id=_CORE,
        task_id="setup",
        steps=(
            HandIn(files={"README.md": words.work("setup/readme_v1")}, days_ago=12.4),
            Review(),
            Ask(text=question),
            *chains.readme_versions(words),
            HandIn(
                files={"README.md": words.work("setup/readme_v2"), "requirements.txt": requirements},
                version=(chains.README, 3),
                days_ago=11.1,
            ),
            Review(),
        ),
        ends_in=FeedbackState.PASSED,
    )


def _search_not_begun(words: DemoWords) -> DemoHistory:
    question = words(
        zh="搜索这个任务我还没动手。先做分页，还是先能搜到再说？",
        en="haven't started on search yet. pages first, or get it to find anything at all?",
    )
    return DemoHistory(
        learner_id=_FIRST,
        project_id=_CORE,
        task_id="search",
        steps=(Ask(text=question),),
        ends_in=FeedbackState.NONE,
    )


def _search_by_older_rules(words: DemoWords) -> DemoHistory:
    """Met everything, until the teacher asked for more."""
    earlier = words(zh="结果分页显示", en="Results come in pages")
    question = words(
        zh="我上周交的时候全都达到了，怎么现在又说要重新评审？",
        en="all of it was met last week. why does it say a new review is due?",
    )
    return DemoHistory(
        learner_id=_SECOND,
        project_id=_CORE,
        task_id="search",
        steps=(
            HandIn(files=code_files("search", "search", "test_search", 1), days_ago=8.3),
            Review(),
            RulesChange(earlier_texts={"pages-in-query": earlier}),
            Ask(text=question),
        ),
        ends_in=FeedbackState.STALE_RULES,
    )


def _listing(words: DemoWords) -> DemoHistory:
    question = words(
        zh="价格的检查我写在网页表单里了，为什么测试还是说 -100 元也能发布？",
        en="the form already checks the price. why does the test still get a book for -100 onto the shelf?",
    )
    return DemoHistory(
        learner_id=_SECOND,
        project_id=_CORE,
        task_id="listing",
        steps=(
            HandIn(files=code_files("listing", "listing", "test_listing", 1), days_ago=6.8),
            Review(),
            Opens(),
            Ask(text=question),
            HandIn(files=code_files("listing", "listing", "test_listing", 2), days_ago=5.5),
            Review(),
        ),
        ends_in=FeedbackState.PASSED,
    )


def _csv_import(words: DemoWords) -> DemoHistory:
    """A long talk with two plans. The newer hand-in has no review yet, so the older one must not be used."""
    columns = '{\n  "title": "Buchtitel",\n  "price": "Preis",\n}\n'
    first = words(
        zh="一行写错，整个文件就导不进去。我是不是应该先把坏行删掉再导？",
        en="one bad row and nothing is imported. should I delete the bad rows before importing?",
    )
    second = words(
        zh="刚刚交了新版，坏行会单独列出来了。这样可以了吗？",
        en="just handed in a new version that lists the bad rows. is it fine now?",
    )
    third = words(
        zh="我改主意了：不按待改项的顺序来，想照任务的步骤从小文件开始。重新列一份计划吧。",
        en="changed my mind: not in the order of the open items, I would rather go by the steps of the task, "
        "small file first. give me a new plan",
    )
    return DemoHistory(
        learner_id=_THIRD,
        project_id=_LIVE,
        task_id="csv-import",
        steps=(
            HandIn(
                files={**code_files("csv-import", "importer", "test_importer", 1), "config/columns.json": columns},
                days_ago=2.6,
            ),
            Review(),
            Ask(text=first),
            *(Ask(text=text) for text in long_talk(words.language, demo_work("csv-import/trace"))),
            HandIn(
                files={
                    **code_files("csv-import", "importer", "test_importer", 2),
                    "config/columns.json": columns.replace(",\n}", "\n}"),
                },
                days_ago=0.05,
            ),
            Ask(text=second),
            Ask(text=third),
        ),
        ends_in=FeedbackState.PENDING,
    )


def _workflow(version: int) -> dict[str, str]:
    return {
        ".github/workflows/tests.yml": demo_work(f"ci-tests/workflow_v{version}"),
        "tests/test_search.py": demo_work("search/test_search"),
        "tests/test_listing.py": demo_work("listing/test_listing"),
        "report.xml": demo_work("ci-tests/report_all"),
    }


def _tests_timed_out(words: DemoWords) -> DemoHistory:
    """The mended workflow is handed in, and its review does not come back."""
    question = words(
        zh="缩进改好重新交了，但一直没看到结果。是我哪里又写错了吗？",
        en="fixed the indentation and handed in again but there is no result. did I break something else?",
    )
    return DemoHistory(
        learner_id=_FOURTH,
        project_id=_LIVE,
        task_id="ci-tests",
        steps=(
            HandIn(files=_workflow(1), days_ago=3.3),
            Review(),
            Opens(),
            HandIn(files=_workflow(2), days_ago=1.2),
            ReviewUnavailable(fault=ReviewFault.TIMED_OUT),
            Ask(text=question),
            StepIn(
                by=words(zh="韩老师", en="Ms Castillo"),
                text=words(
                    zh="不用再交一次，作品收到了，是评审服务超时。今晚我让它再跑。你可以先在本地跑一遍工作流里的命令。",
                    en="No need to hand in again: your work is here, the review service timed out. I will have it run "
                    "again tonight. Meanwhile run the commands of the workflow on your own machine.",
                ),
            ),
            Ask(text=words(zh="好的，那我先看哪一步？", en="ok. which step should I look at first then?")),
        ),
        ends_in=FeedbackState.UNAVAILABLE,
    )


def _tests_passed(words: DemoWords) -> DemoHistory:
    """Everything is met, and the reply to the last question broke off."""
    question = words(
        zh="都通过了。我想让它在三个 Python 版本上都跑一遍，从哪里开始改？",
        en="all green. I would like to run it on three versions of Python, where do I start?",
    )
    arrived = words(
        zh="要求的标准，提交 1 都达到了。你想接着做，可以先",
        en="Submission 1 meets every criterion that counts. If you want to go on, begin with",
    )
    return DemoHistory(
        learner_id=_FIFTH,
        project_id=_LIVE,
        task_id="ci-tests",
        steps=(HandIn(files=_workflow(2), days_ago=7.0), Review(), BrokenOff(text=question, arrived=arrived)),
        ends_in=FeedbackState.PASSED,
    )


def _deploy(words: DemoWords) -> DemoHistory:
    """The review is there, but its record lacks a criterion, so nothing in it may be used."""
    question = words(
        zh="部署说明的评审打不开，是要我重写吗？",
        en="I can't see a result for my deployment notes. do I have to write them again?",
    )
    config = 'import os\n\nSECRET_KEY = os.environ["SHOP_SECRET_KEY"]\n'
    return DemoHistory(
        learner_id=_FIFTH,
        project_id=_LIVE,
        task_id="deploy",
        steps=(
            HandIn(files={"docs/deploy.md": words.work("deploy/notes"), "shop/config.py": config}, days_ago=1.8),
            ReviewBroken(left_out="way-back"),
            Ask(text=question),
        ),
        ends_in=FeedbackState.INVALID,
    )


def _storage(words: DemoWords) -> DemoHistory:
    """All that a rule can decide is met; what must be read for its meaning a teacher decided."""
    question = words(
        zh="用 f 字符串拼 SQL 到底有什么问题？我这边查出来的结果都是对的。",
        en="what is wrong with the f-string in the query? it returns the right rows",
    )
    schema = words.work("storage/schema")
    return DemoHistory(
        learner_id=_SIXTH,
        project_id=_CORE,
        task_id="storage",
        steps=(
            HandIn(files={"shop/storage.py": demo_work("storage/storage_v1"), "docs/schema.md": schema}, days_ago=10.2),
            Review(),
            Opens(),
            Ask(text=question),
            HandIn(files={"shop/storage.py": demo_work("storage/storage_v2"), "docs/schema.md": schema}, days_ago=9.6),
            Review(),
            Decide(
                rubric_id="schema-reasons",
                status=CriterionStatus.PASS,
                reason=words(
                    zh="卖家表和图书表都写明了；订单表会丢什么，展示那天你当面讲清楚了。",
                    en="Seller and book say it; what is lost without purchase you explained to me in class.",
                ),
                note=words(
                    zh="复盘时请带上这份表结构，我们会从订单表讲起。",
                    en="Bring this schema to the retrospective; we will begin with the orders table.",
                ),
                by=words(zh="韩老师", en="Ms Castillo"),
            ),
        ),
        ends_in=FeedbackState.PASSED,
    )


def _retrospective(words: DemoWords) -> DemoHistory:
    return DemoHistory(
        learner_id=_SIXTH,
        project_id=_LIVE,
        task_id="retrospective",
        steps=(
            HandIn(files={"docs/retrospective.md": words.work("retrospective/notes")}, days_ago=0.4),
            Review(),
            Report(
                rubric_id="commits-named",
                text=words(
                    zh="展示那天的提交在仓库里打了标签 v0.3，谁都找得到。还一定要写哈希吗？",
                    en="the commit of the presentation is tagged v0.3, so anybody can find it. must it be a hash?",
                ),
            ),
        ),
        ends_in=FeedbackState.CURRENT,
    )


def _errors_not_begun(words: DemoWords) -> DemoHistory:
    question = words(
        zh="数据库断开的时候，页面上写“系统错误”够不够？",
        en='is "system error" enough when the database is gone?',
    )
    return DemoHistory(
        learner_id=_SIXTH,
        project_id=_LIVE,
        task_id="errors",
        steps=(Ask(text=question),),
        ends_in=FeedbackState.NONE,
    )
