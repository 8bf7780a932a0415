"""The front door: reads a request whole, answers the plain questions, passes all else to Flask.

Law of the room: it only ever says yes faster. The shortcut answers 200 and 304, with the bytes and
headers that Flask would send; every problem of the public address is written by Flask. It imports
neither ``api`` nor Flask: the application behind the bridge is an argument.
"""
