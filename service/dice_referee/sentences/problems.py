"""Problems as lines of text, made from their documents. Clients of the service use it too."""

from collections.abc import Mapping
from typing import Any


def problem_lines(document: Mapping[str, Any], lang: str) -> list[str]:
    """Returns the title of a problem, then its list, or its detail if it lists nothing."""
    colon = "\u00a0:" if lang == "fr" else ":"
    errors = [f"{error['pointer'] or '/'}{colon} {error['detail']}" for error in document["errors"]]
    lines = [f"{finding['rule']}{colon} {finding['detail']}" for finding in document["findings"]]
    findings = list(dict.fromkeys(lines))
    return [f"{document['title']}.", *(errors + findings or [document["detail"]])]
