"""The session store on Redis: a single server, a Sentinel group or a cluster."""
