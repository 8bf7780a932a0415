"""Validates the documents of every Kubernetes overlay: ``python -m tests.tools.manifests``."""

from pathlib import Path

import kubernetes_validate

from tests.tools.kustomize import build, key_of

OVERLAYS = Path(__file__).resolve().parents[2] / "deploy" / "kubernetes" / "overlays"
VERSIONS = ("1.30", "1.37")


def main() -> None:
    """Raises ValidationError for the first document that a version of Kubernetes refuses."""
    for overlay in sorted(OVERLAYS.iterdir()):
        for document in build(overlay).values():
            for version in VERSIONS:
                try:
                    kubernetes_validate.validate(document, version, strict=True)
                except Exception as error:
                    error.add_note(f"{overlay.name}, Kubernetes {version}: {key_of(document)}")
                    raise


if __name__ == "__main__":
    main()
