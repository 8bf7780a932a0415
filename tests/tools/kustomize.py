"""Subset of kustomize that our directories use, without its binary.

The program refuses unknown fields, so that no line of a kustomization is ignored.
"""

from pathlib import Path
from typing import Any

from tests import quick_yaml

Document = dict[str, Any]
Key = tuple[str, str, str]

CLUSTER_KINDS = {"Namespace"}
"""Kinds without a namespace."""


def key_of(document: Document) -> Key:
    """Returns the key that no two documents may share."""
    return document["apiVersion"], document["kind"], document["metadata"]["name"]


def documents_of(path: Path) -> list[Document]:
    """Reads the documents of a file."""
    return [document for document in quick_yaml.load_all(path.read_text("utf-8")) if document]


def build(home: Path) -> dict[Key, Document]:
    """Builds the documents that ``kubectl apply -k`` sends, without hashes in names."""
    (layout,) = documents_of(home / "kustomization.yaml")
    assert layout.pop("kind") == "Kustomization"
    assert layout.pop("apiVersion") == "kustomize.config.k8s.io/v1beta1"
    documents: dict[Key, Document] = {}
    for name in layout.pop("resources", []):
        place = (home / name).resolve()
        resources = list(build(place).values()) if place.is_dir() else documents_of(place)
        if not place.is_dir():
            assert place.parent == home.resolve(), f"kustomize takes no file from outside: {name}"
        for document in resources:
            assert key_of(document) not in documents, f"twice: {key_of(document)}"
            documents[key_of(document)] = document
    for generator in layout.pop("configMapGenerator", []):
        _generate(home, generator, documents)
    for patch in layout.pop("patches", []):
        (change,) = documents_of(home / patch["path"])
        assert patch == {"path": patch["path"]}
        target = key_of(change)
        assert target in documents, f"{patch['path']} patches nothing"
        documents[target] = merged(documents[target], change)
    _everywhere(layout, documents)
    assert not layout, f"unread: {layout}"
    return documents


def _everywhere(layout: Document, documents: dict[Key, Document]) -> None:
    """Applies the namespace, the labels and the images of a layout to every document."""
    namespace, labels = layout.pop("namespace", None), layout.pop("labels", [])
    images = {image["name"]: image for image in layout.pop("images", [])}
    for document in documents.values():
        metadata = document["metadata"]
        if namespace and document["kind"] not in CLUSTER_KINDS:
            metadata["namespace"] = namespace
        for label in labels:
            metadata.setdefault("labels", {}).update(label["pairs"])
        for container in containers(document):
            if image := images.get(container["image"]):
                container["image"] = f"{image['newName']}:{image['newTag']}"


def _generate(home: Path, generator: Document, documents: dict[Key, Document]) -> None:
    name, behavior = generator.pop("name"), generator.pop("behavior", "create")
    data: dict[str, str] = {}
    for file in generator.pop("files", []):
        data[Path(file).name] = (home / file).read_text("utf-8")
    for file in generator.pop("envs", []):
        data |= _pairs((home / file).read_text("utf-8").splitlines())
    data |= _pairs(generator.pop("literals", []))
    assert not generator, f"unread: {generator}"
    target: Key = ("v1", "ConfigMap", name)
    if behavior == "merge":
        documents[target]["data"] |= data
        return
    assert behavior == "create"
    assert target not in documents
    apart = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": name}}
    documents[target] = {**apart, "data": data}


def _pairs(lines: list[str]) -> dict[str, str]:
    pairs = [line.partition("=") for line in lines if line and not line.startswith("#")]
    return {name: value for name, _, value in pairs}


def merged(base: Any, change: Any) -> Any:
    """Merges strategically: fields by name, and named items by that name. Other values replace."""
    if isinstance(base, dict) and isinstance(change, dict):
        common = base.keys() & change.keys()
        return {**base, **change, **{name: merged(base[name], change[name]) for name in common}}
    if _is_named(base) and _is_named(change):
        known = {item["name"]: item for item in base}
        new = {item["name"]: merged(known.get(item["name"], {}), item) for item in change}
        return list((known | new).values())
    return change


def _is_named(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict) and "name" in item for item in value
    )


def template(document: Document) -> Document | None:
    """Returns the pod template of a document, or None."""
    pods: Document | None = document.get("spec", {}).get("template")
    return pods


def containers(document: Document) -> list[Document]:
    """Lists the containers of a document's pods."""
    pods = template(document)
    specs: list[Document] = [] if pods is None else pods["spec"]["containers"]
    return specs


def every(value: Any, name: str) -> list[Any]:
    """Returns every value under this name, anywhere in a document."""
    if isinstance(value, list):
        return [item for part in value for item in every(part, name)]
    if not isinstance(value, dict):
        return []
    own = [value[name]] if name in value else []
    return own + every(list(value.values()), name)
