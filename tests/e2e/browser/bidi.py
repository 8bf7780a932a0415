"""Client of WebDriver BiDi, Firefox's own protocol of commands and events over a WebSocket."""

import base64
import json
import os
import socket
from typing import Any

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10
LAST = MASKED = 0x80
"""Bits that mark the last frame of a message and a masked frame (RFC 6455, 5.2)."""
DEADLINE = 240.0
"""Seconds until a test gives up."""


class WebSocket:
    """A client's end of a connection (RFC 6455) to a server on this machine."""

    def __init__(self, port: int, path: str) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), DEADLINE)
        self.file = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = (
            f"GET {path} HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
        )
        self.socket.sendall("\r\n".join([*lines, "", ""]).encode())
        answer = self.file.readline()
        assert b" 101 " in answer, answer
        while self.file.readline().strip():
            pass

    def send(self, content: bytes, kind: int = TEXT) -> None:
        """Sends a message in a single frame."""
        mask, length = os.urandom(4), len(content)
        if length < 126:
            head = bytes([LAST | kind, MASKED | length])
        else:
            # Firefox closes unless the length takes the fewest bytes; commands stay below 64 KB.
            head = bytes([LAST | kind, MASKED | 126]) + length.to_bytes(2, "big")
        masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(content))
        self.socket.sendall(head + mask + masked)

    def receive(self) -> bytes:
        """Returns the next message."""
        message = b""
        while True:
            first, length = self.file.read(2)
            if length >= 126:
                length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
            content, kind = self.file.read(length), first & 0x0F
            if kind == PING:
                self.send(content, PONG)
                continue
            assert kind != CLOSE, content
            message += content
            if first & LAST:
                return message

    def close(self) -> None:
        self.file.close()
        self.socket.close()


class Bidi:
    """Session with a browser. Stores the events that arrive between answers."""

    def __init__(self, port: int) -> None:
        self.socket = WebSocket(port, "/session")
        self.count = 0
        self.events: list[dict[str, Any]] = []
        self.ask("session.new", capabilities={})

    def ask(self, method: str, **params: Any) -> Any:
        """Sends a command and returns its result."""
        self.count += 1
        command = {"id": self.count, "method": method, "params": params}
        self.socket.send(json.dumps(command).encode())
        while True:
            message = json.loads(self.socket.receive())
            if message["type"] == "event":
                self.events.append(message)
            elif message["id"] == self.count:
                if message["type"] == "error":
                    raise BidiError(f"{method}: {message['error']}: {message['message']}")
                return message["result"]


class BidiError(Exception):
    """Raised when the browser cannot carry out a command."""
