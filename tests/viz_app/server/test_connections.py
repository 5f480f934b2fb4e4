"""Connections beyond what there may be: whose is closed, and that others are still answered."""

import dataclasses
import http.client
import socket
from urllib.parse import urlsplit

import pytest

from model_core.errors import ServingError
from tests.serving import serve
from tests.tiny import tiny_checkpoint
from viz_app.limits import DEMO
from viz_app.server.connections import Connections

PLENTY = 20_000  # files


class Fake:
    """A connection that knows whether it was closed."""

    def __init__(self, address, is_busy=False, asked_before=False):
        self.client = (address, 1)
        self.transport, self.is_open = self, True
        self.cycle = self if is_busy or asked_before else None
        self.response_complete = not is_busy

    def abort(self):
        self.is_open = False


def open_of(connections, *groups):
    """So many connections of each: (number, address, is it busy)."""
    made = [[Fake(address, busy) for _ in range(count)] for count, address, busy in groups]
    for group in made:
        for one in group:
            connections.come(one)
    return [sum(one.is_open for one in group) for group in made]


def test_the_greedy_lose_their_idle_connections_and_nobody_else_loses_any():
    connections = Connections(80, PLENTY)  # 98 in all
    held = open_of(connections, (60, "greedy", False), (30, "greedy", True), (40, "modest", True))
    assert held == [28, 30, 40] and len(connections) == 98


def test_who_fills_it_with_requests_loses_them_to_the_others_too():
    connections = Connections(80, PLENTY)
    assert open_of(connections, (98, "greedy", True), (10, "modest", False)) == [88, 10]


def test_the_greedy_push_nobody_out():
    connections = Connections(80, PLENTY)
    assert open_of(connections, (10, "modest", False), (200, "greedy", False)) == [10, 88]


def test_where_everybody_has_one_an_idle_one_goes_first():
    connections = Connections(8, PLENTY)  # 17 in all
    busy = [Fake(str(number), True) for number in range(16)]
    idle, late = Fake("idle", asked_before=True), Fake("late")
    for one in (*busy, idle, late):
        connections.come(one)
    assert not idle.is_open and late.is_open and all(one.is_open for one in busy)
    connections.go(late)
    assert len(connections) == 16


@pytest.mark.parametrize("files", [64, 240, 1012, PLENTY])
def test_connections_and_those_just_accepted_never_take_more_files_than_there_are(files):
    connections = Connections(2000, files)
    for number in range(3000):
        connections.come(Fake(str(number)))
    assert 8 <= len(connections) <= 2258
    # Accepted in one round of the event loop, closed three later.
    assert len(connections) + 4 * connections.backlog < files


def test_where_hardly_a_file_can_be_opened_it_is_said():
    with pytest.raises(ServingError, match="ulimit"):
        Connections(2000, 30)


def test_one_client_with_all_connections_does_not_keep_others_out(tmp_path):
    tiny_checkpoint(tmp_path / "tiny")
    limits = dataclasses.replace(DEMO, connections=16)
    with serve(tmp_path, limits) as (address, _):
        place = urlsplit(address).hostname, urlsplit(address).port
        held = [socket.create_connection(place) for _ in range(200)]
        asking = http.client.HTTPConnection(*place, timeout=60)
        asking.request("GET", "/config")
        assert asking.getresponse().status == 200
        for one in (*held, asking):
            one.close()
