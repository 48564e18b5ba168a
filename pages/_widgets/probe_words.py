"""What a test of the connection found, as sentences."""

from collections.abc import Mapping
from urllib.parse import urlsplit

from engine.llm.probe import ProbeReport, Structured
from engine.settings_store import ModelReport
from pages._widgets.markdown import literal
from pages._widgets.words import N_, _

NAMES_SHOWN = 8
"""Names of models that a sentence lists at most."""
FORMS: Mapping[Structured, str] = {
    Structured.SCHEMA: N_("Structured answers: by schema."),
    Structured.OBJECT: N_("Structured answers: JSON only."),
    Structured.NONE: N_("Structured answers: no."),
}
FAULTS: Mapping[str, str] = {
    "key_refused": N_(
        "{host} does not accept the key. The settings are kept. Enter another key, save, and test again."
    ),
    "model_unknown": N_(
        "{host} answers, but not for this model at this address. The settings are kept. "
        "Check the model's name, and whether the address lacks /v1."
    ),
    "rate_limited": N_("{host} is too busy now. The settings are kept. Test again in a few minutes."),
    "timed_out": N_(
        "{host} gave no answer in time. The settings are kept. Test again in a few minutes; "
        "a model on your own machine may still be loading."
    ),
    "provider_down": N_("{host} answers, but it fails. The settings are kept. Test again in a few minutes."),
    "reply_broken": N_(
        "What answers at {host} is no model service. The settings are kept. Check the address: it usually ends in /v1."
    ),
    "reply_empty": N_(
        "{host} answers, but the model says nothing. The settings are kept. Choose another model, save, and test again."
    ),
    "request_refused": N_(
        "{host} refuses the request. The settings are kept. Check the model's name, save, and test again."
    ),
}
"""By the code of the fault, where nothing more is known."""
_NO_HOST = N_(
    "Cannot reach {host} (no such address). The settings are kept. Check the spelling of the address and test again."
)
_NO_ANSWER = N_(
    "Cannot reach {host} (nothing answers there). The settings are kept. "
    "Check address and port, and whether the server runs; then test again."
)
_NOT_LISTED = N_(
    "{host} has no model “{name}”. The settings are kept. Take one of the names that it lists, save, and test again."
)
_NO_STREAM = N_(
    "{host} answers, but not piece by piece, which the tutor needs. The settings are kept. "
    "Choose a server or model that streams, save, and test again."
)


def findings(report: ProbeReport) -> str:
    """What a model that can be used is able to do, in one line."""
    counts = _("Counts tokens: yes.") if report.says_usage else _("Counts tokens: no.")
    form = _(FORMS[report.structured]) if report.structured else _("Structured answers: could not be tested.")
    return " ".join([_("Streams: yes."), form, counts, _("{seconds:.1f} s.", seconds=report.seconds or 0.0)])


def fault(report: ProbeReport, model: ModelReport) -> str:
    """Why the model cannot be used: what happened, what was kept, what to do. Safe as Markdown."""
    host = literal(urlsplit(model.address or "").netloc)
    return _(_which(report), host=host, name=literal(model.name or ""))


def listed(report: ProbeReport) -> str:
    """The models that the server lists; empty where it lists none or more could be no help."""
    names = [literal(name[:80]) for name in report.models[:NAMES_SHOWN]]
    return _("It lists {n} models, among them: {names}.", n=len(report.models), names=", ".join(names)) if names else ""


def _which(report: ProbeReport) -> str:
    if not report.is_reachable and report.fault != "timed_out":
        return _NO_ANSWER if report.is_host_known else _NO_HOST
    if report.streams is False:
        return _NO_STREAM
    if report.models and report.is_model_known is False and report.fault in ("model_unknown", "request_refused"):
        return _NOT_LISTED
    return FAULTS.get(report.fault or "", FAULTS["request_refused"])
