"""EBS: volumes."""

from __future__ import annotations

from ..aws import call
from .base import Context, Made, Properties, Replaced, known_as, refuse_unknown
from .network import tag

_ASKED = ("AvailabilityZone", "VolumeType", "Size", "Iops", "Throughput", "Encrypted")


@known_as("AWS::EC2::Volume")
class Volume(Replaced):
    """A volume, which a client attaches to itself."""

    def create(self, context: Context, properties: Properties) -> Made:
        refuse_unknown(context, properties, {*_ASKED, "Tags"})
        request = {name: properties[name] for name in _ASKED if name in properties}
        volume = call(context.client("ec2"), "create_volume", request)["VolumeId"]
        tag(context, volume, properties)
        return Made(volume, {"VolumeId": volume})

    def delete(self, context: Context, made: Made, properties: Properties) -> None:
        context.client("ec2").delete_volume(VolumeId=made.physical_id)
