"""Server of the Model Context Protocol for agents, and an HTTP client of the service."""
