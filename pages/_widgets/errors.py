"""What a person reads when something goes wrong: what happened, what was kept, what to do."""

from collections.abc import Mapping
from string import Formatter

import streamlit as st

from engine.errors import (
    AccessDenied,
    ArtifactRefused,
    DecisionRefused,
    HandInError,
    InputError,
    NotFound,
    TutorloopError,
    WordsRefused,
)
from pages._widgets.markdown import literal
from pages._widgets.repository_words import REPOSITORY_SENTENCES
from pages._widgets.states import OURS
from pages._widgets.words import N_, _

SENTENCES: Mapping[str, tuple[str, ...]] = {
    "error": (N_("Something did not work. What was saved before is intact. Reload the page and try again."),),
    "input": (N_("This cannot be used as it is. Nothing was changed. Correct it and try again."),),
    "hand_in": (
        N_("This work could not be taken. Earlier submissions are unchanged. Choose other files and hand in again."),
    ),
    "hand_in.empty": (
        N_("There is nothing to hand in yet: no file holds anything. Nothing was changed. Choose files or paste text."),
    ),
    "hand_in.empty_file": (
        N_("The zip {path} is empty (0 bytes). Earlier submissions are unchanged. Pack it again and hand in."),
    ),
    "hand_in.path_outside": (
        N_(
            "The zip holds a path outside its folder ({path}), so it was not accepted. "
            "Earlier submissions are unchanged. Pack it again and hand in."
        ),
    ),
    "hand_in.path_too_long": (
        N_(
            "The path {path} has {characters} characters; the limit is {limit}. "
            "Earlier submissions are unchanged. Shorten the folder names and hand in again."
        ),
    ),
    "hand_in.bad_name": (
        N_(
            "The name {path} cannot be used as a file name. Earlier submissions are unchanged. "
            "Rename the file and hand in again."
        ),
    ),
    "hand_in.link": (
        N_(
            "The zip holds a link or a device ({path}) instead of a file, so it was not accepted. "
            "Earlier submissions are unchanged. Put the file itself in and hand in again."
        ),
    ),
    "hand_in.bomb": (
        N_(
            "The zip {path} grows out of all proportion when it is unpacked, so it was not accepted. "
            "Earlier submissions are unchanged. Leave out large generated files and pack it again."
        ),
    ),
    "hand_in.too_large": (
        N_(
            "{path} has {size_mb} MB; the limit is {limit_mb} MB. Earlier submissions are unchanged. "
            "Remove it, or hand in the source only."
        ),
        N_(
            "Unpacked, this is more than {limit_mb} MB. Earlier submissions are unchanged. "
            "Hand in the source only, without data and build output."
        ),
    ),
    "hand_in.too_many": (
        N_(
            "These are {count} files; the limit is {limit}. Earlier submissions are unchanged. "
            "Leave out generated folders and hand in again."
        ),
    ),
    "hand_in.encrypted": (
        N_("The zip {path} has a password. Earlier submissions are unchanged. Pack it without one and hand in again."),
    ),
    "hand_in.compression": (
        N_(
            "{path} is packed in a way that cannot be read here. Earlier submissions are unchanged. "
            "Pack it as an ordinary zip and hand in again."
        ),
    ),
    "hand_in.broken_zip": (
        N_(
            "{path} is not a zip, or it is damaged. Earlier submissions are unchanged. "
            "Pack it again, or hand in the files themselves."
        ),
    ),
    "hand_in.duplicate": (
        N_(
            "The path {path} is there twice, so it is not clear which one counts. Earlier submissions are unchanged. "
            "Remove one and hand in again."
        ),
    ),
    "question_too_long": (
        N_(
            "This message is longer than {limit} characters, so it was not sent. The conversation is unchanged. "
            "Hand long text in as work, or send it in parts."
        ),
        N_("This message is too long, so it was not sent. The conversation is unchanged. Send it in parts."),
    ),
    "course_file": (
        N_(
            "The course file has a mistake at line {line} ({where}). The course is unchanged. "
            "Correct the file and import it again."
        ),
    ),
    "class_list": (N_("This class list cannot be used. The class list is unchanged. Choose another file."),),
    "course_changed": (
        N_(
            "Somebody else saved this task while you were editing it. Your words are kept as a draft and nothing was "
            "changed. Copy what you need, then discard your changes to see the newer task."
        ),
    ),
    "task_in_use": (
        N_(
            "This task cannot be removed: work was handed in for it, somebody talked about it, or it is the only one "
            "of its project. Nothing was changed. Leave it, or write another in its place."
        ),
    ),
    "model_not_described": (
        N_(
            "A model needs an address (http or https, without a user or password in it) and a name. "
            "Nothing was changed. Fill in both and save again."
        ),
    ),
    "stuck_limits_impossible": (
        N_("These numbers are out of bounds. The rule is unchanged. Correct them and save again."),
    ),
    "budgets_impossible": (
        N_(
            "These sizes do not go together: half of the window at most is for the reply, and summarising begins "
            "below the limit. Nothing was changed. Correct them and save again."
        ),
    ),
    "access_denied": (
        N_(
            "This belongs to somebody else, so it cannot be opened. Nothing was changed. "
            "If you need it, ask a teacher of the course for access."
        ),
    ),
    "not_found": (N_("What you asked for is not here, or no longer. Nothing was changed. Go back and choose again."),),
    "settings": (
        N_(
            "A setting of this installation is missing or wrong. Nothing was changed. "
            "Ask the person who runs the server; the details name the setting."
        ),
    ),
    "store": (
        N_(
            "The database cannot do this now, so it is not saved yet. What was saved before is intact. "
            "Try again in a few seconds."
        ),
    ),
    "context_too_large": (
        N_(
            "Your message is too long for this model. It is saved, and the conversation is unchanged. "
            "Send it again in shorter parts."
        ),
    ),
    "opening_outdated": (
        N_(
            "The tutor did not begin, because another review counts by now. The conversation is unchanged; "
            "ask about it yourself."
        ),
    ),
    "model": (N_("The model did not answer as it should. Your question is saved. Press Answer again."),),
    "key_refused": (
        N_(
            "The model service does not accept the key. Your question is saved. "
            "Change the key in Settings, then press Answer again."
        ),
    ),
    "model_unknown": (
        N_(
            "The service has no such model, or no such address. Your question is saved. "
            "Check the model's name and address in Settings, then press Answer again."
        ),
    ),
    "request_refused": (
        N_(
            "The model service refused this request. Your question is saved. "
            "Press Answer again; if it happens again, show the details to the person who runs the server."
        ),
    ),
    "rate_limited": (
        N_("The model is too busy now. Your question is saved. Press Answer again in about {retry_after_s:.0f} s."),
        N_("The model is too busy now. Your question is saved. Press Answer again in a few minutes."),
    ),
    "provider_down": (
        N_("The model service cannot be reached. Your question is saved. Press Answer again in a few minutes."),
    ),
    "timed_out": (
        N_(
            "No answer came in time, so we stopped waiting. Your question and the conversation are kept. "
            "Press Answer again, or shorten the question."
        ),
    ),
    "reply_broken": (N_("The reply broke off; what arrived is kept. Press Answer again."),),
    "reply_empty": (
        N_(
            "The model sent nothing usable; it was not stored as the tutor's words. Your question is saved. "
            "Press Answer again."
        ),
    ),
    "decision": (N_("This decision could not be saved. What stood before stands. Try again."),),
    "decision.no_reason": (
        N_(
            "A decision needs a reason of at least {characters} characters; the student reads it. "
            "Nothing was changed. Write why, and save again."
        ),
    ),
    "decision.rules_changed": (
        N_(
            "The criteria changed after this review, so it cannot be decided on. Nothing was changed. "
            "Review the work again by the criteria of today, then decide."
        ),
    ),
    "decision.newer_attempt": (
        N_(
            "Another review or decision came in while you were deciding. Your words are kept and nothing was "
            "changed. Look at the new one, then save again."
        ),
    ),
    "decision.not_in_rubric": (
        N_("This criterion is no longer among the criteria of the task. Nothing was changed. Reload the page."),
    ),
    "decision.not_decided": (
        N_("Nobody has decided this criterion any more, so nothing was taken back. Nothing was changed."),
    ),
    "decision.no_choice": (
        N_("Nothing was saved yet; your words are kept. Choose Pass, Fail or Needs a person, and save again."),
    ),
    "words": (N_("These words could not be saved. They are kept on this page. Try again."),),
    "words.blank": (N_("There is nothing to save yet. Nothing was changed. Write a few words first."),),
    "words.not_style": (
        N_(
            "This is no sentence on style, or it is too long. The rule is unchanged. Say it in one short sentence "
            "about length, tone, format, structure, examples or language."
        ),
    ),
    "words.opposite": (
        N_(
            "This says the opposite of the rule. The rule is unchanged. Mute it, and say the new wish when you next "
            "improve a text."
        ),
    ),
    "words.too_long": (
        N_(
            "These words are longer than {limit:,} characters, so they were not saved. They are kept on this page. "
            "Shorten them, and save again."
        ),
    ),
    "words.newer_attempt": (
        N_(
            "Another review or decision came in while you were writing. Your words are kept and nothing was changed. "
            "Look at the new one, then save again if you still see it differently."
        ),
    ),
    "words.not_in_rubric": (
        N_("This criterion is no longer among the criteria of the task. Nothing was changed. Reload the page."),
    ),
    "artifact": (N_("This text cannot be saved as it is. Nothing was changed. Correct it and save again."),),
    "artifact.blank": (N_("There is no text yet, so nothing was saved. Write or paste a few words first."),),
    "artifact.too_long": (
        N_(
            "This text has {characters:,} characters; the limit is {limit:,}. Nothing was changed. "
            "Shorten it, and save again."
        ),
    ),
    "artifact.title_too_long": (
        N_("This title is longer than {limit:,} characters. Nothing was changed. Shorten it, and save again."),
    ),
    "artifact.note_too_long": (
        N_("This note is longer than {limit:,} characters. Nothing was changed. Shorten it, and save again."),
    ),
    "artifact.taken": (
        N_(
            "There is a text with the file name {name} already. Nothing was changed. "
            "Open that one, or choose another file name."
        ),
    ),
    "artifact.erased": (
        N_("The words of this version were erased, so it cannot be used. Nothing was changed. Choose another version."),
    ),
    "artifact.empty_file": (
        N_("There is nothing in {name}, so nothing was saved. Choose another file, or paste the text."),
    ),
    "artifact.laid_out": (
        N_(
            "{name} comes from a word processor and cannot be read here. Nothing was changed. Save it there as plain "
            "text (.txt), or copy its text and paste it."
        ),
    ),
    "artifact.not_text": (
        N_("{name} cannot be read as text. Nothing was changed. Choose a text file, or paste the text."),
    ),
    "stale_base": (
        N_(
            "V{newest} came while you were working on V{base}. Nothing was saved over it, and your text is kept as a "
            "draft. Look at both, then choose how to go on."
        ),
        N_(
            "Another version came while you were working on this one. Nothing was saved over it, and your text is "
            "kept as a draft. Look at both, then choose how to go on."
        ),
    ),
    "ci_report": (
        N_("The report of the build server could not be taken. Nothing was changed. Its answer says what is wrong."),
    ),
    **REPOSITORY_SENTENCES,
    "token": (N_("This key is unknown or was revoked. Nothing was changed. Make a new key on the page Courses."),),
}
"""By the code of an error, or `code.reason` for work that was not taken; the fullest sentence first."""

_OURS_TO_READ = (InputError, AccessDenied, NotFound)
"""Errors that the person at the screen can mend."""


def sentence(error: TutorloopError) -> str:
    """The fullest sentence for `error` whose blanks it can fill, in the reader's language, safe as Markdown."""
    values = {name: literal(value) if isinstance(value, str) else value for name, value in error.values.items()}
    candidates = SENTENCES.get(_key(error)) or SENTENCES.get(error.code) or SENTENCES["error"]
    for message in candidates:
        if blanks(message) <= values.keys():
            return _(message, **values)
    return _(SENTENCES["error"][0])


def _key(error: TutorloopError) -> str:
    return (
        f"{error.code}.{error.reason}"
        if isinstance(error, HandInError | DecisionRefused | WordsRefused | ArtifactRefused)
        else error.code
    )


def blanks(message: str) -> set[str]:
    """The names of the blanks in `message`."""
    return {name for _text, name, _spec, _conversion in Formatter().parse(message) if name}


def show_error(error: TutorloopError) -> None:
    """Draw `error`: red where the person at the screen can mend it, violet where it is nobody's fault here."""
    if isinstance(error, _OURS_TO_READ):
        st.error(sentence(error), icon=":material/error:")
    else:
        with st.container(border=True):
            st.markdown(f"{OURS} {sentence(error)}")
    with st.expander(_("Details"), type="compact"):
        st.code(f"{error.code}: {error}", language=None)
