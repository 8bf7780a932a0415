"""The servers, which turn connections into requests and answers into bytes."""
