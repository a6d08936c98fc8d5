"""Service Quotas, of which moto knows those of VPCs only: the lab's account has room for every deployment."""

from __future__ import annotations

from typing import Any

from moto.servicequotas.exceptions import NoSuchResource
from moto.servicequotas.models import ServiceQuotasBackend

_ROOM = 1_000_000.0
_original = ServiceQuotasBackend.get_service_quota


def _get_service_quota(self: ServiceQuotasBackend, service_code: str, quota_code: str) -> dict[str, Any]:
    try:
        return _original(self, service_code, quota_code)
    except NoSuchResource:
        return {"ServiceCode": service_code, "QuotaCode": quota_code, "Value": _ROOM}


def install() -> None:
    """Patch moto's Service Quotas."""
    ServiceQuotasBackend.get_service_quota = _get_service_quota
