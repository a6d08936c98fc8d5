"""Custom resources: their handlers run on this computer."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Deployment


class TestCustomResources:
    ROLE = {
        "Type": "AWS::IAM::Role",
        "Properties": {"AssumeRolePolicyDocument": {"Version": "2012-10-17", "Statement": []}},
    }

    def function(self, runtime: str, code: str) -> dict[str, Any]:
        properties = {"Runtime": runtime, "Handler": "index.handler", "Code": {"ZipFile": code}, "Timeout": 5}
        return {"Type": "AWS::Lambda::Function", "Properties": {**properties, "Role": {"Fn::GetAtt": ["Role", "Arn"]}}}

    def resources(self, runtime: str, code: str, **properties: Any) -> dict[str, Any]:
        token = {"Fn::GetAtt": ["Function", "Arn"]}
        custom = {"Type": "Custom::Thing", "Properties": {"ServiceToken": token, **properties}}
        return {"Role": self.ROLE, "Function": self.function(runtime, code), "Thing": custom}

    PYTHON = """
import json, urllib.request
def handler(event, context):
    with open(event['ResourceProperties']['Log'], 'a') as log:
        log.write(json.dumps([event['RequestType'], event['ResourceProperties']['Flag']]) + '\\n')
    body = {'Status': 'SUCCESS', 'PhysicalResourceId': 'thing', 'Data': {'Answer': '42'}}
    urllib.request.urlopen(urllib.request.Request(event['ResponseURL'], json.dumps(body).encode(), method='PUT'))
"""
    NODE = """
const https = require('https');
exports.handler = async (event) => {
  require('fs').appendFileSync(event.ResourceProperties.Log, JSON.stringify([event.RequestType, event.ResourceProperties.Flag]) + '\\n');
  const url = new URL(event.ResponseURL);
  const body = JSON.stringify({ Status: 'SUCCESS', PhysicalResourceId: 'thing', Data: { Answer: '42' } });
  await new Promise((done, failed) => {
    const request = https.request({ hostname: url.hostname, path: url.pathname, method: 'PUT', headers: { 'content-length': body.length } }, done);
    request.on('error', failed);
    request.end(body);
  });
};
"""

    @pytest.mark.parametrize(("runtime", "code"), [("python3.12", PYTHON), ("nodejs22.x", NODE)])
    def test_the_handler_runs_for_create_update_and_delete(
        self, stack: Deployment, runtime: str, code: str, tmp_path: Path
    ) -> None:
        log = tmp_path / "log"
        outputs = {"Answer": {"Value": {"Fn::GetAtt": ["Thing", "Answer"]}}}
        assert (
            stack.apply(self.resources(runtime, code, Log=str(log), Flag=True), Outputs=outputs) == "CREATE_COMPLETE"
        ), stack.reasons()
        assert stack.outputs() == {"Answer": "42"}
        stack.apply(self.resources(runtime, code, Log=str(log), Flag=False), Outputs=outputs)
        stack.delete()
        heard = [json.loads(line) for line in log.read_text().splitlines()]
        assert heard == [["Create", "true"], ["Update", "false"], ["Delete", "false"]]

    def test_a_handler_that_breaks_fails_the_deployment_with_its_words(self, stack: Deployment) -> None:
        code = "def handler(event, context):\n    raise RuntimeError('out of cheese')\n"
        assert stack.apply(self.resources("python3.12", code)).startswith("ROLLBACK_")
        assert "out of cheese" in stack.reasons()

    def test_a_handler_that_answers_failed_fails_the_deployment(self, stack: Deployment, tmp_path: Path) -> None:
        code = self.PYTHON.replace("SUCCESS", "FAILED")
        resources = self.resources("python3.12", code, Log=str(tmp_path / "log"), Flag=1)
        assert stack.apply(resources).startswith("ROLLBACK_")
        assert "Received response status [FAILED]" in stack.reasons()
