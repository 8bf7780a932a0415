"""Rate policies, their counters, and the address of a client."""
