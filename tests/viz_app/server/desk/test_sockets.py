"""Connections beyond what there may be: whose is closed, and that others are still answered."""

import dataclasses
import http.client
import socket
from urllib.parse import urlsplit

from tests.serving import serve
from tests.tiny import tiny_checkpoint
from viz_app.server.desk.sockets import Sockets
from viz_app.server.limits import DEMO


class Fake:
    """A connection that knows whether it was closed."""

    def __init__(self, address, is_busy=False, asked_before=False):
        self.client = (address, 1)
        self.transport, self.is_open = self, True
        self.cycle = self if is_busy or asked_before else None
        self.response_complete = not is_busy

    def abort(self):
        self.is_open = False


def open_of(sockets, *groups):
    """So many connections of each: (number, address, is it busy)."""
    made = [[Fake(address, busy) for _ in range(count)] for count, address, busy in groups]
    for group in made:
        for one in group:
            sockets.come(one)
    return [sum(one.is_open for one in group) for group in made]


def test_the_greedy_lose_their_idle_connections_and_nobody_else_loses_any():
    sockets = Sockets(80)  # 98 in all
    held = open_of(sockets, (60, "greedy", False), (30, "greedy", True), (40, "modest", True))
    assert held == [28, 30, 40] and len(sockets) == 98


def test_who_fills_it_with_requests_loses_them_to_the_others_too():
    sockets = Sockets(80)
    assert open_of(sockets, (98, "greedy", True), (10, "modest", False)) == [88, 10]


def test_the_greedy_push_nobody_out():
    sockets = Sockets(80)
    assert open_of(sockets, (10, "modest", False), (200, "greedy", False)) == [10, 88]


def test_where_everybody_has_one_an_idle_one_goes_first():
    sockets = Sockets(8)  # 17 in all
    busy = [Fake(str(number), True) for number in range(16)]
    idle, late = Fake("idle", asked_before=True), Fake("late")
    for one in (*busy, idle, late):
        sockets.come(one)
    assert not idle.is_open and late.is_open and all(one.is_open for one in busy)
    sockets.go(late)
    assert len(sockets) == 16


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
