"""The servers: they turn connections into requests, and answers into bytes."""
