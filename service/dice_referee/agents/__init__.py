"""Serves agents by the Model Context Protocol, and asks the service by HTTP for every answer."""
