"""A client of backlot's management API, with fixtures for pytest. One file, standard library only; Python 3.9 or later.

Between the marks it is generated from the service's OpenAPI description by scripts/python-client.ts.
"""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

COMMAND = "npx --yes backlot serve --json --port 0 --allow-private-webhooks 127.0.0.1/32"
LONGEST_FAST_FORWARD = timedelta(hours=720)


class BacklotError(Exception):
    """A refused request: its `status`, its `code` and the message of the service."""

    def __init__(self, status: int, code: str, message: str):
        super().__init__(f"{message} ({status} {code})")
        self.status, self.code = status, code


def _drop_none(values: dict) -> dict:
    return {name: value for name, value in values.items() if value is not None}


# generated: begin
class _ServiceCalls:
    def search_library(self, *, q=None, vertical=None, limit=None):
        """Searches the library of prebuilt APIs."""
        return self._call("GET", "/v1/library", query={"q": q, "vertical": vertical, "limit": limit})

    def list_simulations(self, *, detail=None):
        """Lists the account's simulations, all of them."""
        return self._call("GET", "/v1/simulations", query={"detail": detail})

    def create_simulation(self, *, library=None, spec=None, name=None, slug=None, instructions=None, volume=None, seed_records=None, ip_allowlist=None, ip_restriction_enabled=None, use_model=None, seed=None, epoch=None, validation=None, lenient_parents=None, lenient_keys=None, replies=None, examples=None, entry=None, handlers=None, behaviour=None, rules=None, https=None):
        """Creates a simulation from a library entry or from an OpenAPI description."""
        return self._call("POST", "/v1/simulations", body=_drop_none({"library": library, "spec": spec, "name": name, "slug": slug, "instructions": instructions, "volume": volume, "seedRecords": seed_records, "ipAllowlist": ip_allowlist, "ipRestrictionEnabled": ip_restriction_enabled, "useModel": use_model, "seed": seed, "epoch": epoch, "validation": validation, "lenientParents": lenient_parents, "lenientKeys": lenient_keys, "replies": replies, "examples": examples, "entry": entry, "handlers": handlers, "behaviour": behaviour, "rules": rules, "https": https}))

    def read_usage(self):
        """Reads the plan, the subscription's status, the credit balance and this month's usage."""
        return self._call("GET", "/v1/usage")

    def read_meta(self):
        """Names the service, its version and its extensions."""
        return self._call("GET", "/v1/meta")

    def inspect_description(self, *, spec):
        """Lists the collections, events and operations of a description. No simulation is created."""
        return self._call("POST", "/v1/inspect", body=_drop_none({"spec": spec}))

    def read_description(self):
        """Returns this OpenAPI description."""
        return self._call("GET", "/v1/openapi.json")


class _SimulationCalls:
    def read(self):
        """Reads everything about one simulation."""
        return self._call("GET", "")

    def delete(self):
        """Deletes the simulation and all its data. This cannot be undone."""
        return self._call("DELETE", "")

    def pause(self):
        """Pauses the simulation."""
        return self._call("POST", "/pause")

    def resume(self):
        """Resumes the simulation."""
        return self._call("POST", "/resume")

    def reset(self):
        """Regenerates the data from the original seed, in the background."""
        return self._call("POST", "/reset")

    def read_behaviour(self):
        """Reads the behaviour plan."""
        return self._call("GET", "/behaviour")

    def set_behaviour(self, *, rules):
        """Replaces the behaviour plan. Steps that cannot work are dropped."""
        return self._call("PUT", "/behaviour", body=_drop_none({"rules": rules}))

    def add_rule(self, *, name, kind, config, method=None, path_pattern=None, operation=None, when=None):
        """Adds a response rule."""
        return self._call("POST", "/rules", body=_drop_none({"name": name, "kind": kind, "method": method, "pathPattern": path_pattern, "operation": operation, "when": when, "config": config}))

    def replace_rule(self, rule_id, *, name, kind, config, method=None, path_pattern=None, operation=None, when=None, enabled=None):
        """Replaces a response rule, or switches it off and on."""
        return self._call("PUT", f"/rules/{rule_id}", body=_drop_none({"name": name, "kind": kind, "method": method, "pathPattern": path_pattern, "operation": operation, "when": when, "config": config, "enabled": enabled}))

    def remove_rule(self, rule_id):
        """Removes a response rule."""
        return self._call("DELETE", f"/rules/{rule_id}")

    def register_webhook(self, *, url, events, scheme=None):
        """Registers a webhook. The secret is shown in this answer only."""
        return self._call("POST", "/webhooks", body=_drop_none({"url": url, "events": events, "scheme": scheme}))

    def list_webhooks(self, *, stats=None):
        """Lists the webhooks with the state of their endpoints."""
        return self._call("GET", "/webhooks", query={"stats": stats})

    def set_access(self, *, ip_restriction_enabled=None, ip_allowlist=None):
        """Changes the IP allow-list, or switches restriction on or off."""
        return self._call("PUT", "/access", body=_drop_none({"ipRestrictionEnabled": ip_restriction_enabled, "ipAllowlist": ip_allowlist}))

    def list_keys(self, *, detail=None):
        """Lists the simulation keys: their prefixes and names."""
        return self._call("GET", "/keys", query={"detail": detail})

    def issue_key(self, *, name):
        """Issues another simulation key. It is shown in this answer only."""
        return self._call("POST", "/keys", body=_drop_none({"name": name}))

    def read_records(self, collection, *, limit=None, offset=None, where=None, q=None, sort=None):
        """Reads records of a collection directly, without a request to the simulated API."""
        return self._call("GET", f"/records/{collection}", query={"limit": limit, "offset": offset, "where": where, "q": q, "sort": sort})

    def create_record(self, collection, body, *, quiet=None):
        """Creates a record with the given fields, and generates the others."""
        return self._call("POST", f"/records/{collection}", query={"quiet": quiet}, body=body)

    def read_events(self, *, limit=None, before=None, type=None, collection=None, record_id=None):
        """Reads the latest 100 data change events, newest first."""
        return self._call("GET", "/events", query={"limit": limit, "before": before, "type": type, "collection": collection, "recordId": record_id})

    def read_logs(self, *, limit=None, before=None, after=None, status=None, method=None, operation=None, path=None, names=None, detail=None):
        """Reads the latest 100 requests to the simulated API, newest first."""
        return self._call("GET", "/logs", query={"limit": limit, "before": before, "after": after, "status": status, "method": method, "operation": operation, "path": path, "names": names, "detail": detail})

    def list_snapshots(self):
        """Lists the snapshots, newest first."""
        return self._call("GET", "/snapshots")

    def take_snapshot(self, *, name=None):
        """Creates a snapshot of the data, the clock, the plan and the rules."""
        return self._call("POST", "/snapshots", query={"name": name})

    def restore_snapshot(self, snapshot_id):
        """Restores a snapshot."""
        return self._call("POST", f"/snapshots/{snapshot_id}/restore")

    def read_clock(self):
        """Reads the simulation's own time."""
        return self._call("GET", "/clock")

    def advance_clock(self, *, seconds):
        """Runs the behaviour plan as if the given seconds had passed."""
        return self._call("POST", "/clock", body=_drop_none({"seconds": seconds}))

    def list_operations(self):
        """Lists the operations of the simulated API, with the effect of each."""
        return self._call("GET", "/operations")

    def read_record(self, collection, record_id):
        """Reads one record directly, without a request to the simulated API."""
        return self._call("GET", f"/records/{collection}/{record_id}")

    def replace_record(self, collection, record_id, body, *, quiet=None):
        """Replaces the fields of a record, except those that only the server sets."""
        return self._call("PUT", f"/records/{collection}/{record_id}", query={"quiet": quiet}, body=body)

    def update_record(self, collection, record_id, body, *, quiet=None):
        """Changes fields of a record, as a JSON merge patch does."""
        return self._call("PATCH", f"/records/{collection}/{record_id}", query={"quiet": quiet}, body=body)

    def remove_record(self, collection, record_id, *, quiet=None):
        """Deletes a record."""
        return self._call("DELETE", f"/records/{collection}/{record_id}", query={"quiet": quiet})

    def describe_collection(self, collection):
        """Reads the fields of a collection's records, and the references between collections."""
        return self._call("GET", f"/collections/{collection}")

    def count_values(self, collection, *, field=None):
        """Counts the records of a collection by the value of a field."""
        return self._call("GET", f"/collections/{collection}/counts", query={"field": field})

    def revert_record(self, collection, record_id, *, quiet=None):
        """Resets a changed record to its generated or given state."""
        return self._call("POST", f"/records/{collection}/{record_id}/revert", query={"quiet": quiet})

    def trigger_event(self, *, type, fields=None, quiet=None):
        """Causes an event of a kind, on a record that fits or on a new one."""
        return self._call("POST", "/trigger", query={"quiet": quiet}, body=_drop_none({"type": type, "fields": fields}))

    def hold_test(self, *, test=None):
        """Holds a test while a person looks at its simulation; gives an address of the dashboard that signs in once."""
        return self._call("POST", "/hold", body=_drop_none({"test": test}))

    def read_hold(self, *, timeout_ms=None):
        """Reads whether a failed test is held, and waits until it is released."""
        return self._call("GET", "/hold", query={"timeoutMs": timeout_ms})

    def release_hold(self):
        """Releases a held test, so that it continues."""
        return self._call("DELETE", "/hold")

    def read_log(self, request_id):
        """Reads one request with its headers, body, answer and changes."""
        return self._call("GET", f"/logs/{request_id}")

    def try_request(self, *, method, path, headers=None, body=None):
        """Sends a request to the simulated API as the owner: without a key, and regardless of the allow-list."""
        return self._call("POST", "/try", body=_drop_none({"method": method, "path": path, "headers": headers, "body": body}))

    def act_on_sign_in(self, body):
        """Signs a user in without a page: gives a token or a cookie, or signs every browser in; or makes a new signing key."""
        return self._call("POST", "/sign-in", body=body)

    def read_plan_runs(self, *, until=None):
        """Reads when the rules of the behaviour plan last ran, and when they run next."""
        return self._call("GET", "/behaviour/runs", query={"until": until})

    def run_rule(self, rule_id):
        """Runs one rule of the behaviour plan now. Its schedule does not change."""
        return self._call("POST", f"/behaviour/{rule_id}/run")

    def revoke_key(self, prefix):
        """Revokes the simulation keys with this prefix."""
        return self._call("DELETE", f"/keys/{prefix}")

    def remove_webhook(self, webhook_id):
        """Removes a webhook."""
        return self._call("DELETE", f"/webhooks/{webhook_id}")

    def enable_webhook(self, webhook_id):
        """Enables a webhook that was disabled after 50 failed deliveries."""
        return self._call("POST", f"/webhooks/{webhook_id}/enable")

    def list_deliveries(self, webhook_id):
        """Lists the deliveries to a webhook with their attempts."""
        return self._call("GET", f"/webhooks/{webhook_id}/deliveries")

    def read_delivery(self, webhook_id, delivery_id):
        """Reads one delivery with what each attempt has sent, what it was answered, and whether its signature holds."""
        return self._call("GET", f"/webhooks/{webhook_id}/deliveries/{delivery_id}")

    def replay_delivery(self, webhook_id, delivery_id, *, fault=None):
        """Sends a delivery again now, unchanged or with a fault."""
        return self._call("POST", f"/webhooks/{webhook_id}/deliveries/{delivery_id}/replay", body=_drop_none({"fault": fault}))

    def advance_deliveries(self, *, seconds=None, until=None):
        """Advances the delivery clock, and runs every retry that becomes due."""
        return self._call("POST", "/deliveries/advance", body=_drop_none({"seconds": seconds, "until": until}))

    def are_deliveries_settled(self, *, timeout_ms=None):
        """Waits until no delivery is in flight or due."""
        return self._call("GET", "/deliveries/settled", query={"timeoutMs": timeout_ms})

    def add_webhook_fault(self, *, kind, events=None, times=None, probability=None, seed=None, seconds=None):
        """Adds a fault to deliveries."""
        return self._call("POST", "/webhook-faults", body=_drop_none({"kind": kind, "events": events, "times": times, "probability": probability, "seed": seed, "seconds": seconds}))

    def list_webhook_faults(self):
        """Lists the active faults, with the latest deliveries that each changed."""
        return self._call("GET", "/webhook-faults")

    def remove_webhook_fault(self, fault_id):
        """Removes a fault."""
        return self._call("DELETE", f"/webhook-faults/{fault_id}")
# generated: end


class Backlot(_ServiceCalls):
    """A running service. Use it in a `with` block if it was started by `open`."""

    def __init__(self, url: str, account_key: str, process: subprocess.Popen | None = None):
        self.url, self.account_key, self._process = url.rstrip("/"), account_key, process

    @classmethod
    def open(cls) -> Backlot:
        """The service of BACKLOT_URL and BACKLOT_ACCOUNT_KEY, else a new one, started by BACKLOT_COMMAND or npx."""
        url, account_key = os.environ.get("BACKLOT_URL"), os.environ.get("BACKLOT_ACCOUNT_KEY")
        if url and account_key:
            return cls(url, account_key)
        command = shlex.split(os.environ.get("BACKLOT_COMMAND", COMMAND))
        try:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True)
        except FileNotFoundError:
            raise RuntimeError(
                f'Failed to start backlot: there is no "{command[0]}". Install Node 22.19 or later, or start the '
                "service elsewhere and set BACKLOT_URL and BACKLOT_ACCOUNT_KEY."
            ) from None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"Failed to start backlot: `{shlex.join(command)}` ended with {process.wait()}.")
        ready = json.loads(line)
        return cls(ready["url"], ready["accountKey"], process)

    def simulate(self, library: str | None = None, **options) -> Simulation:
        """Creates a simulation of a library entry, or of `spec`, the text of a description. `with` deletes it."""
        return Simulation(self, self.create_simulation(library=library, **options))

    def close(self) -> None:
        """Ends the service if `open` has started it."""
        if self._process is None:
            return
        if hasattr(os, "killpg"):
            # npx does not pass the signal on.
            os.killpg(self._process.pid, signal.SIGTERM)
        else:
            self._process.terminate()
        self._process.wait()
        self._process.stdout.close()

    def __enter__(self) -> Backlot:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def _call(self, method: str, path: str, query: dict | None = None, body=None):
        text = urllib.parse.urlencode(_drop_none(query or {}))
        headers = {"Authorization": f"Bearer {self.account_key}", "Content-Type": "application/json"}
        url = f"{self.url}{path}{'?' if text else ''}{text}"
        return _exchange(url, method, headers, None if body is None else json.dumps(body).encode())


class Simulation(_SimulationCalls):
    """A simulated API at `url`, for requests with `key`."""

    def __init__(self, service: Backlot, created: dict):
        self.service, self.id, self.slug = service, created["id"], created["slug"]
        self.url, self.key, self.warnings = created["url"], created["apiKey"], created.get("warnings", [])

    def fetch(self, path: str, method: str = "GET", body=None):
        """The parsed answer of the simulated API, as an application with the key gets it."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        return _exchange(self.url + path, method, headers, None if body is None else json.dumps(body).encode())

    def fast_forward(self, **duration) -> None:
        """Turns the clock by what `timedelta` takes: fast_forward(days=32)."""
        left = timedelta(**duration)
        while left > timedelta(0):
            part = min(left, LONGEST_FAST_FORWARD)
            self._call("POST", "/fast-forward", body={"hours": part / timedelta(hours=1)})
            left -= part

    def receive(self, **options) -> Inbox:
        """Receives its webhooks in this process, until the end of the `with` block."""
        return Inbox(self, options)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_) -> None:
        self.delete()

    def _call(self, method: str, path: str, query: dict | None = None, body=None):
        return self.service._call(method, f"/v1/simulations/{self.id}{path}", query, body)


class Inbox:
    """Webhooks as they came, oldest first: each has `headers`, `raw_body` for the provider's verifier, and `body`."""

    def __init__(self, simulation: Simulation, options: dict):
        self.received, self._claimed, self._arrival = [], set(), threading.Condition()
        inbox = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self):
                raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(200)
                self.end_headers()
                with inbox._arrival:
                    inbox.received.append({"headers": dict(self.headers), "raw_body": raw, "body": json.loads(raw)})
                    inbox._arrival.notify_all()

            def log_message(self, *_):
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.webhook = simulation.register_webhook(url=f"http://127.0.0.1:{self._server.server_port}/", **{"events": ["*"], **options})

    @property
    def secret(self) -> str:
        return self.webhook["secret"]

    def expect(self, type: str, timeout: float = 10) -> dict:
        """Waits for a webhook of this type that no call has returned yet."""
        end = time.monotonic() + timeout
        with self._arrival:
            while True:
                for at, webhook in enumerate(self.received):
                    if at not in self._claimed and webhook["body"].get("type") == type:
                        self._claimed.add(at)
                        return webhook
                if not self._arrival.wait(end - time.monotonic()) and time.monotonic() >= end:
                    types = [webhook["body"].get("type") for webhook in self.received]
                    raise AssertionError(f'No webhook "{type}" within {timeout} s. Received: {types}')

    def __enter__(self) -> Inbox:
        return self

    def __exit__(self, *_) -> None:
        self._server.shutdown()
        self._server.server_close()


def _exchange(url: str, method: str, headers: dict, data: bytes | None):
    request = urllib.request.Request(url, method=method, headers=headers, data=data)
    # No proxy: an address on this machine is not for one.
    opener = urllib.request.build_opener(*([urllib.request.ProxyHandler({})] if "//127.0.0.1" in url else []))
    try:
        with opener.open(request) as answer:
            text = answer.read()
    except urllib.error.HTTPError as error:
        with error:
            raw = error.read()
        try:
            found = json.loads(raw)["error"]
            code, message = found["code"], found["message"]
        except (ValueError, KeyError, TypeError):
            code, message = error.reason, raw.decode(errors="replace")
        raise BacklotError(error.code, code, message) from None
    return json.loads(text) if text else None


def running_service():
    """One service for all tests of a session: the fixture `backlot`."""
    with Backlot.open() as service:
        yield service


def made_simulations(service: Backlot):
    """A function that makes simulations, which are deleted after the test: the fixture `simulate`."""
    with contextlib.ExitStack() as stack:
        yield lambda library=None, **options: stack.enter_context(service.simulate(library, **options))


try:
    import pytest
except ImportError:
    pass
else:
    backlot = pytest.fixture(scope="session")(running_service)

    @pytest.fixture
    def simulate(backlot):
        yield from made_simulations(backlot)
