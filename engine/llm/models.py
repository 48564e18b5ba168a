"""Which gateway answers which use, and changing that while the server runs."""

from collections.abc import Mapping
from types import MappingProxyType

from engine.llm.gateway import Gateway
from engine.settings import ModelUse


class Models:
    """Hands out the gateway of each use. May be shared by threads.

    Whoever makes several steps with a gateway asks once and keeps the answer: a call that has begun ends
    with the gateway it began with.
    """

    def __init__(self, gateways: Mapping[ModelUse, Gateway]) -> None:
        self._gateways = MappingProxyType(dict(gateways))

    @classmethod
    def of(cls, gateway: Gateway) -> "Models":
        """One gateway for every use."""
        return cls(dict.fromkeys(ModelUse, gateway))

    def gateway(self, use: ModelUse) -> Gateway:
        """The gateway that answers `use` from now on."""
        return self._gateways[use]

    def replace(self, gateways: Mapping[ModelUse, Gateway]) -> None:
        """Hand out these from now on; all uses change in one step."""
        self._gateways = MappingProxyType(dict(gateways))
