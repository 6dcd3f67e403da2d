"""Talks to a preview as a page does, with the WebSockets of Python's package `websockets`.

    peer.py PORT TOKEN

Prints one object of JSON: what was seen. What it should have been is for the caller to say.
"""
import asyncio, json, sys

try:
    from websockets.asyncio.client import connect
    HEADERS = "additional_headers"
except ImportError:
    from websockets import connect
    HEADERS = "extra_headers"
from websockets.exceptions import ConnectionClosed, InvalidHandshake

port, token = sys.argv[1:]


def page(origin=f"http://127.0.0.1:{port}", token=token):
    return connect(f"ws://127.0.0.1:{port}/session", origin=origin, **{HEADERS: {"X-Preview-Token": token}})


async def refused(**options):
    try:
        async with page(**options):
            return 101
    except InvalidHandshake as error:
        return getattr(error, "status_code", None) or error.response.status_code


async def closed(message):
    """The code that the server closes with after a message."""
    async with page() as socket:
        await socket.send(message)
        try:
            while True:
                await asyncio.wait_for(socket.recv(), 10)
        except ConnectionClosed:
            return socket.close_code


async def parts():
    for part in ('{"type"', ': "seek", "run": 77, ', '"frame": 3}'):
        yield part


async def main():
    seen = {}
    async with page() as socket:
        seen["first"] = json.loads(await asyncio.wait_for(socket.recv(), 10))["type"]
        await asyncio.wait_for(await socket.ping(b"a"), 10)
        await asyncio.wait_for(await socket.ping(b"b" * 125), 10)
        await socket.send(parts())
        await asyncio.wait_for(await socket.ping(b"after the parts"), 10)
    seen["closed"] = socket.close_code
    socket = await page()
    await socket.close(4001, "of its own")
    seen["own"] = socket.close_code
    seen["bytes"] = await closed(b"bytes")
    seen["long"] = await closed("a" * 20_000)
    seen["origin"] = await refused(origin="https://evil.example")
    seen["token"] = await refused(token="wrong")
    print(json.dumps(seen))

asyncio.run(main())
