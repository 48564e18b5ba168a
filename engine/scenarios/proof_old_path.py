"""The old path's table: when a system without the contract loses a review, and when it does not."""

from collections.abc import Callable, Iterator

from engine.domain.course import TaskInForce
from engine.domain.review import CriterionResult
from engine.domain.session import ChatMessage
from engine.domain.states import CriterionStatus, Language, Role
from engine.llm.gateway import Gateway
from engine.scenarios.legacy_path import CHARACTERS_KEPT, SERVER_TAKES, LegacyClient, LegacyReview, LegacyServer
from engine.scenarios.proof import (
    MARKER,
    MARKER_NOT_SENT,
    MARKER_SENT,
    NEXT_STEP,
    OPENING,
    QUESTION,
    ProofCase,
    ProofRow,
    contents,
    proof_results,
    proof_task,
    scripted_gateway,
    tell_marker,
)

NewServer = Callable[[Gateway, TaskInForce], LegacyServer]
NewClient = Callable[[LegacyServer, str, str], LegacyClient]
"""Makes the page of a learner in a session, both by id."""

_LEARNER = "learner"
_SESSION = "first session"


def prove_old_path(new_server: NewServer = LegacyServer, new_client: NewClient = LegacyClient) -> Iterator[ProofRow]:
    """Play the old system's rows, each on a server of its own.

    Another server or client shows what another system would do.
    """
    for case in OLD_PATH:
        yield case.row(OldScene(new_server, new_client))


def legacy_review(results: tuple[CriterionResult, ...], status: CriterionStatus, next_step: str) -> LegacyReview:
    """A review in the old system's form, with its points."""
    met = sum(result.status is CriterionStatus.PASS for result in results)
    return LegacyReview(status=status, score=100 * met // len(results), criteria=results, next_step=next_step)


class OldScene:
    """The old system with one learner and a review of the work: the marked one, or one that is given."""

    def __init__(self, new_server: NewServer, new_client: NewClient, review: LegacyReview | None = None) -> None:
        self.transport, gateway = scripted_gateway()
        given = TaskInForce(
            course_title="Web course",
            project_title="App",
            language=Language.EN,
            task=proof_task("login"),
            rubric_version="1",
        )
        self.server = new_server(gateway, given)
        self._new_client = new_client
        self.client = self.another_client(_SESSION)
        self.review = review or legacy_review(proof_results(CriterionStatus.FAIL), CriterionStatus.FAIL, NEXT_STEP)

    def another_client(self, session_id: str) -> LegacyClient:
        """The same learner in another session."""
        return self._new_client(self.server, _LEARNER, session_id)

    def say(self, text: str = QUESTION) -> str:
        """Send a message and tell whether the marker went with it."""
        self.client.say(text)
        return tell_marker(contents(self.transport.bodies[-1]))

    def copy_review(self) -> None:
        """Put the full review into the text history by hand."""
        self.client.history.append(ChatMessage(role=Role.USER, content=self.review.full_text))


def _stored(scene: OldScene) -> str:
    scene.say(OPENING)
    before = scene.server.messages(_SESSION)
    scene.client.take_review(scene.review)
    stored = scene.server.stored_review(_LEARNER)
    has_detail = stored is not None and MARKER in stored.full_text
    is_unchanged = scene.server.messages(_SESSION) == before
    return (
        f"detail {'' if has_detail else 'not '}in the stored result, "
        f"conversation {'unchanged' if is_unchanged else 'changed'}"
    )


def goes_on(scene: OldScene) -> str:
    """A conversation exists, a review comes in, and the learner goes on: what people do by default."""
    scene.say(OPENING)
    scene.client.take_review(scene.review)
    return scene.say()


def _goes_on_with_full_history(scene: OldScene) -> str:
    scene.say(OPENING)
    scene.client.take_review(scene.review)
    scene.copy_review()
    return scene.say()


def _first_with_full_history(scene: OldScene) -> str:
    scene.client.take_review(scene.review)
    scene.copy_review()
    return scene.say()


def _first_with_summary(scene: OldScene) -> str:
    scene.client.take_review(scene.review)
    scene.client.restore()
    marker = scene.say()
    has_summary = any(scene.review.summary in content for content in contents(scene.transport.bodies[-1]))
    return f"status and score {'' if has_summary else 'not '}in the request, {marker}"


def _new_conversation(scene: OldScene) -> str:
    scene.say(OPENING)
    scene.client.take_review(scene.review)
    scene.client = scene.another_client("second session")
    return scene.say()


def _pasted(scene: OldScene) -> str:
    scene.say(OPENING)
    scene.client.take_review(scene.review)
    return scene.say(f"{QUESTION}\n{scene.review.full_text}")


def _restored(scene: OldScene) -> str:
    scene.say(OPENING)
    scene.client.take_review(scene.review)
    scene.client.restore()
    cards = [message.review for message in scene.client.chat if message.review is not None]
    texts = "\n".join(message.content for message in scene.client.history)
    has_detail = any(MARKER in card.full_text for card in cards)
    return f"detail {'' if has_detail else 'not '}on the card, {_told_of(scene.review, texts)} in the text history"


def _told_of(review: LegacyReview, texts: str) -> str:
    if MARKER in texts:
        return "detail"
    return "status and score only" if review.summary in texts else "nothing"


def _beyond_count(scene: OldScene) -> str:
    first = _first_with_full_history(scene)
    for _ in range(SERVER_TAKES // 2):
        last = scene.say()
    return f"first {first}, later {last}"


def _beyond_characters(scene: OldScene) -> str:
    first = _first_with_full_history(scene)
    scene.say("x" * (CHARACTERS_KEPT + 1))
    return f"first {first}, later {scene.say()}"


_PUSHED_OUT = f"first {MARKER_SENT}, later {MARKER_NOT_SENT}"
OLD_PATH: tuple[ProofCase[OldScene], ...] = (
    ProofCase(
        name="Review finished and stored",
        expected="detail in the stored result, conversation unchanged",
        play=_stored,
    ),
    ProofCase(name="Conversation exists, learner goes on", expected=MARKER_NOT_SENT, play=goes_on),
    ProofCase(
        name="Conversation exists, page sends the full review in its history",
        expected=MARKER_NOT_SENT,
        play=_goes_on_with_full_history,
    ),
    ProofCase(
        name="First conversation, history holds the full review",
        expected=MARKER_SENT,
        play=_first_with_full_history,
    ),
    ProofCase(
        name="First conversation, history holds only the summary",
        expected=f"status and score in the request, {MARKER_NOT_SENT}",
        play=_first_with_summary,
    ),
    ProofCase(name="Same learner, new conversation", expected=MARKER_NOT_SENT, play=_new_conversation),
    ProofCase(name="Learner pastes the review into the message", expected=MARKER_SENT, play=_pasted),
    ProofCase(
        name="Page restored after a reload",
        expected="detail on the card, status and score only in the text history",
        play=_restored,
    ),
    ProofCase(
        name=f"Review older than the last {SERVER_TAKES} messages",
        expected=_PUSHED_OUT,
        play=_beyond_count,
    ),
    ProofCase(
        name=f"Newer long message pushes the review out of {CHARACTERS_KEPT:,} characters",
        expected=_PUSHED_OUT,
        play=_beyond_characters,
    ),
)
