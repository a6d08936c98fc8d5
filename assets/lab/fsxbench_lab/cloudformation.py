"""Replaces moto's CloudFormation with the service."""

from __future__ import annotations

from collections.abc import Callable

from moto.cloudformation.responses import CloudFormationResponse
from moto.core.responses import ActionResult, EmptyResult

from .aws import Emulator, LabError
from .service import Service, ValidationError

_ACTIONS = [name for name in vars(Service) if not name.startswith("_") and name != "engine"]
# Actions of moto that would refer to stacks unknown to the engine.
_REFUSED = ("create_stack_set", "create_stack_instances", "update_stack_set", "set_stack_policy", "validate_template")


def install(emulator: Emulator) -> Service:
    """Replace moto's CloudFormation with the engine."""
    service = Service(emulator)

    def action(name: str) -> Callable[[CloudFormationResponse], ActionResult]:
        method = getattr(service, name)

        def answer(response: CloudFormationResponse) -> ActionResult:
            engine = service.engine(response.current_account, response.region)
            try:
                result = method(engine, response._get_param)
            except LabError as error:
                raise ValidationError(str(error)) from error
            return EmptyResult() if result is None else ActionResult(result)

        return answer

    def refuse(name: str) -> Callable[[CloudFormationResponse], ActionResult]:
        def answer(_: CloudFormationResponse) -> ActionResult:
            raise ValidationError(f"fsxbench lab: CloudFormation action {name} is not supported")

        return answer

    for name in _ACTIONS:
        setattr(CloudFormationResponse, name, action(name))
    for name in _REFUSED:
        setattr(CloudFormationResponse, name, refuse(name))
    # moto's own classes convert other shapes; these documents already use the API's names.
    CloudFormationResponse.RESPONSE_KEY_PATH_TO_TRANSFORMER = {}
    return service
