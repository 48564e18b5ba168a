"""Gateways are handed out by use and can be changed."""

from engine.llm.models import Models
from engine.llm.offline import offline_gateway
from engine.settings import ModelUse
from tests.llm.calls import gateway


def test_one_gateway_answers_every_use() -> None:
    door = offline_gateway()
    assert all(Models.of(door).gateway(use) is door for use in ModelUse)


def test_after_a_change_the_new_gateways_are_handed_out_and_the_old_one_is_left_as_it_was() -> None:
    models = Models.of(offline_gateway())
    before = models.gateway(ModelUse.TUTOR)
    new = {use: gateway(None) for use in ModelUse}
    models.replace(new)
    assert all(models.gateway(use) is new[use] for use in ModelUse)
    assert before.is_offline
