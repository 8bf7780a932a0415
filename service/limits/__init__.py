"""How much a client may ask: rate policies, their counters, and the address of a client."""
