"""Addresses of Ray clusters: what they mean, who answers there, and whether with a token."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from dreamfactory_env.utils.errors import OptionError

#: How long somebody may take to answer at an address, in seconds; Ray itself waits for minutes.
ANSWER_SECONDS = 10
CLIENT = "ray://"
AUTH_MODE = "RAY_AUTH_MODE"
_KNOWN = f"auto, host:port or {CLIENT}host:port"


def resolved(address: str) -> str:
    """Returns an address with host and port, as it is or found on this machine.

    Raises:
        OptionError: None runs on this machine, or it is no address.
    """
    # Ray is pinned, and has no public function that says what `auto` means.
    from ray._private.services import canonicalize_bootstrap_address

    if address.startswith(CLIENT):
        return address
    try:
        found = canonicalize_bootstrap_address(address)
    except ConnectionError as error:
        remedy = "start one with `ray start --head`, or leave --address out"
        raise OptionError(f"no Ray cluster runs on this machine: {remedy}") from error
    except (OSError, ValueError) as error:
        raise OptionError(f"--address must be {_KNOWN}, not {address!r}") from error
    if found is None:  # `local`, which is to start one
        raise OptionError(f"--address must be {_KNOWN}, not {address!r}; leave it out to start one")
    return str(found)


def check_answer(address: str) -> None:
    """Checks that a Ray cluster answers at an address, without waiting as long as Ray does.

    If it asks for a token, this process shows its own from now on.

    Raises:
        OptionError: Nobody answers, or somebody who is no cluster, or the token is not the same.
    """
    import grpc

    _check_listens(address)
    answer = _answer(address, {})
    if answer is grpc.StatusCode.UNAUTHENTICATED:
        _show_token(address)
    elif answer is grpc.StatusCode.DEADLINE_EXCEEDED:
        raise OptionError(
            f"who listens at {address} has not answered for {ANSWER_SECONDS} s: it is no Ray "
            "cluster, or one that is not well, as `ray status` on its head says"
        )
    elif answer not in (grpc.StatusCode.OK, grpc.StatusCode.NOT_FOUND):
        raise OptionError(
            f"who answers at {address} is no Ray cluster: `ray status` on its head says its "
            f"address; for {CLIENT} it has another port, 10001"
        )
    elif os.environ.get(AUTH_MODE) == "token" and not address.startswith(CLIENT):
        # It could give us work to do, but we would not listen to it.
        raise OptionError(
            f"the cluster at {address} uses no token, and this process does ({AUTH_MODE}): start "
            f"it anew with the token, or say {AUTH_MODE}=disabled here if all who reach it are "
            "trusted"
        )


def _check_listens(address: str) -> None:
    """Raises OptionError if nobody listens at an address."""
    host, colon, port = address.removeprefix(CLIENT).rpartition(":")
    if not (colon and port.isdecimal()):
        raise OptionError(f"--address must be {_KNOWN}, not {address!r}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), ANSWER_SECONDS).close()
    except OSError as error:
        raise OptionError(
            f"nobody answers at {address} ({error.strerror or error}): is the cluster running, and "
            "is the port open? `ray status` on its head says so"
        ) from error


def _show_token(address: str) -> None:
    """Has Ray show a token, which it does not by itself where an address is given.

    Raises:
        OptionError: There is none, or it is not that of the cluster.
    """
    import grpc
    from ray._raylet import AuthenticationTokenLoader, Config

    if os.environ.get(AUTH_MODE, "token") != "token":
        raise OptionError(
            f"the cluster at {address} asks for its token, and this process shows none "
            f"({AUTH_MODE}={os.environ[AUTH_MODE]}): say {AUTH_MODE}=token"
        )
    tokens = AuthenticationTokenLoader.instance()
    if tokens.has_token(ignore_auth_mode=True):
        os.environ.setdefault(AUTH_MODE, "token")
        Config.initialize("")  # it reads the environment
        headers = tokens.get_token_for_http_header() if tokens.has_token() else {}
        if _answer(address, headers) is not grpc.StatusCode.UNAUTHENTICATED:
            return
    raise OptionError(
        f"the cluster at {address} asks for its token, and this process has none or another one: "
        "copy ~/.ray/auth_token of its head to the same place here, or set RAY_AUTH_TOKEN"
    )


@contextmanager
def own_mode() -> Iterator[None]:
    """Lets this process show a token no longer than the context lasts, if it did not before."""
    from ray._raylet import Config

    before = os.environ.get(AUTH_MODE)
    try:
        yield
    finally:
        if before is None and os.environ.pop(AUTH_MODE, ""):
            Config.initialize("")


def _answer(address: str, headers: dict[str, str]) -> Any:
    """Returns the status with which somebody answers what only a Ray cluster understands."""
    import grpc

    # Any answer will do, so nothing is put into the question.
    if address.startswith(CLIENT):
        question = "/ray.rpc.RayletDriver/ClusterInfo"
    else:
        question = "/ray.rpc.NodeInfoGcsService/CheckAlive"
    with _channel(address.removeprefix(CLIENT)) as channel:
        ask = channel.unary_unary(question)
        try:
            ask(b"", timeout=ANSWER_SECONDS, metadata=tuple(headers.items()))
        except grpc.RpcError as error:
            return error.code()
    return grpc.StatusCode.OK


def _channel(address: str) -> Any:
    """Returns a channel as Ray would open it, but one that shows no token."""
    import grpc
    from ray._common.tls_utils import load_certs_from_env

    options = (("grpc.enable_http_proxy", 0),)
    if os.environ.get("RAY_USE_TLS", "0").lower() in ("1", "true"):
        chain, key, root = load_certs_from_env()
        return grpc.secure_channel(
            address, grpc.ssl_channel_credentials(root, key, chain), options=options
        )
    return grpc.insecure_channel(address, options=options)
