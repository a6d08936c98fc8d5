"""EC2: key pairs, whose private half Parameter Store keeps."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from conftest import Deployment

Aws = Callable[[str], Any]


def test_a_key_pair_leaves_its_private_half_in_parameter_store_and_takes_it_along(stack: Deployment, aws: Aws) -> None:
    pair = {"Type": "AWS::EC2::KeyPair", "Properties": {"KeyName": f"key-{os.urandom(4).hex()}", "KeyType": "ed25519"}}
    stack.apply({"Key": pair}, Outputs={"Id": {"Value": {"Fn::GetAtt": ["Key", "KeyPairId"]}}})
    name = f"/ec2/keypair/{stack.outputs()['Id']}"
    assert "PRIVATE KEY" in aws("ssm").get_parameter(Name=name, WithDecryption=True)["Parameter"]["Value"]
    stack.delete()
    with pytest.raises(aws("ssm").exceptions.ParameterNotFound):
        aws("ssm").get_parameter(Name=name)
