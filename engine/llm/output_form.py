"""How a server is asked for an answer of a fixed form; servers differ in what they understand."""

from enum import StrEnum

from openai.types.chat.completion_create_params import ResponseFormat
from pydantic import BaseModel


class OutputForm(StrEnum):
    """The rungs of the ladder, in the order of trying. The answer is validated on each of them."""

    JSON_SCHEMA = "json_schema"
    """The server holds the model to the schema."""
    JSON_OBJECT = "json_object"
    """The server holds the model to JSON; the schema stands in the prompt only."""
    PLAIN = "plain"
    """Only the prompt asks for it."""

    @property
    def next_lower(self) -> "OutputForm | None":
        """The next rung down; None from the last."""
        rungs = list(OutputForm)
        return next(iter(rungs[rungs.index(self) + 1 :]), None)


def response_format(form: OutputForm, schema: type[BaseModel]) -> ResponseFormat | None:
    """What the request says about the form; None says nothing."""
    match form:
        case OutputForm.JSON_SCHEMA:
            name = schema.__name__.lower()
            return {
                "type": "json_schema",
                "json_schema": {"name": name, "schema": schema.model_json_schema(), "strict": True},
            }
        case OutputForm.JSON_OBJECT:
            return {"type": "json_object"}
        case OutputForm.PLAIN:
            return None
