"""The service with a path that begins its answer before it reads the body."""

from dice_referee.asgi import app
from dice_referee.server.asgi import AsgiApplication
from dice_referee.server.asgi_messages import Receive, Scope, Send, send_piece


class EarlyApplication(AsgiApplication):
    """Answers ``/early`` with ``early``, and then with the body of the request."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/early":
            await super().__call__(scope, receive, send)
            return
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send_piece(b"early", send)
        await send_piece((await receive())["body"], send, more=False)


app.__class__ = EarlyApplication
