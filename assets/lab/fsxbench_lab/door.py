"""Who may use a listener of the lab: it runs commands as the user who started it, and every user and web page of this machine can reach its port.

A browser sends a page's requests with an Origin, or with the Host of a name that was rebound to 127.0.0.1; other users lack the secret.
"""

from __future__ import annotations

import hmac
import json
import os
import re
from collections.abc import Callable
from email.message import Message
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from moto.iam.models import AccessKey
from moto.moto_server.werkzeug_app import MotoRequestHandler

_FEWEST_CHARACTERS = 20
_DRAINED_BYTES = 1 << 20
_CREDENTIAL = re.compile(r"Credential=([^/,\s]+)/")
# Keys of users and of assumed roles, such as those that `cdk deploy` assumes. Their policies decide what they may call.
_made: set[str] = set()


class Refused(Exception):
    """A request that is not answered: its status, AWS's name for it, and the reason."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status, self.code = status, code


def secret() -> str:
    """The lab's secret: its access key, which `lab up` hands to the emulator in its environment."""
    key = os.environ.get("AWS_ACCESS_KEY_ID", "")
    if len(key) < _FEWEST_CHARACTERS:
        raise SystemExit(f"AWS_ACCESS_KEY_ID must be the lab's secret, of at least {_FEWEST_CHARACTERS} characters")
    return key


def check(target: str, headers: Message, port: int, knows_secret: Callable[[str, Message], bool]) -> None:
    """Refuses a request that is not of the lab's own clients. Raises Refused."""
    try:
        well_formed = target.startswith("/") and not target.startswith("//") and urlsplit(target).netloc == ""
    except ValueError:
        well_formed = False
    if not well_formed:
        raise Refused(400, "MalformedRequest", "the target must be a path that begins with one slash")
    if headers.get_all("Host") != [f"127.0.0.1:{port}"]:
        raise Refused(403, "AccessDenied", f"the host must be 127.0.0.1:{port}")
    if "Origin" in headers:
        raise Refused(403, "AccessDenied", "web pages have no access")
    if not knows_secret(target, headers):
        raise Refused(403, "InvalidClientTokenId", 'the access key is not the lab\'s: eval "$(npx fsxbench lab env)" sets it')


def answer_refusal(handler: BaseHTTPRequestHandler, refused: Refused) -> None:
    """Sends the refusal and closes the connection."""
    length = handler.headers.get("Content-Length", "")
    if length.isdecimal():
        # A connection that is closed with data unread is reset, and its client might never see the reason.
        handler.rfile.read(min(int(length), _DRAINED_BYTES))
    body = json.dumps({"__type": refused.code, "message": f"fsxbench lab: {refused}"}).encode()
    handler.close_connection = True
    # Without a line in the log: werkzeug's fails on a malformed target.
    handler.send_response_only(refused.status)
    for name, value in (("Content-Type", "application/json"), ("x-amzn-errortype", refused.code), ("Connection", "close")):
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    if handler.command != "HEAD":
        handler.wfile.write(body)


def _has_access_key(target: str, headers: Message) -> bool:
    """The key of a signed request, or of a presigned URL."""
    found = _CREDENTIAL.findall(" ".join(headers.get_all("Authorization", [])))
    found += [value.split("/")[0] for value in parse_qs(urlsplit(target).query).get("X-Amz-Credential", [])]
    known = [secret(), *_made]
    return len(found) == 1 and any(hmac.compare_digest(found[0].encode(), key.encode()) for key in known)


class GuardedHandler(MotoRequestHandler):
    """Answers the lab's own clients only; moto sees no other request."""

    def run_wsgi(self) -> None:
        try:
            check(self.path, self.headers, self.server.port, _has_access_key)
        except Refused as refused:
            answer_refusal(self, refused)
        else:
            super().run_wsgi()


def install() -> None:
    """Take the keys of users and assumed roles, too: only a request with a known key gets one."""
    secret()
    make = AccessKey.__init__

    def recorded(key: AccessKey, *arguments: object, **named: object) -> None:
        make(key, *arguments, **named)
        _made.add(key.access_key_id)

    AccessKey.__init__ = recorded
