"""The writes of one session, kept apart from the record."""

import copy
import threading
from collections.abc import Iterable, Mapping
from typing import Any

from state.base import ResourceRef

Resource = dict[str, Any]
NEW = "new-"
"""How the ids of resources begin that a session created."""


class Overlay:
    """Resources a session created or changed, each in its newest version, in the order of their first write.

    Ids of created resources are ``new-1``, ``new-2`` ... over all types, so that a reference is never given twice; a
    changed resource keeps the id it has in the record. Resources go in and come out as copies: what was written cannot
    be changed from outside.
    """

    def __init__(self, resources: Iterable[Mapping[str, Any]] = ()) -> None:
        """Begin empty, or with the resources of an earlier ``snapshot``."""
        self._resources = {_reference(resource): copy.deepcopy(dict(resource)) for resource in resources}
        self._lock = threading.Lock()

    def create(self, resource: Mapping[str, Any]) -> Resource:
        """Add a resource that has no id yet and return it as kept."""
        with self._lock:
            number = sum(map(is_new, self._resources.values())) + 1
            kept = {"resourceType": resource["resourceType"], "id": f"{NEW}{number}"}
            kept |= copy.deepcopy(dict(resource))
            self._resources[_reference(kept)] = kept
        return copy.deepcopy(kept)

    def change(self, resource: Mapping[str, Any]) -> Resource:
        """Keep a new version of a resource, of the record or of this session, and return it."""
        kept = copy.deepcopy(dict(resource))
        with self._lock:
            self._resources[_reference(kept)] = kept
        return copy.deepcopy(kept)

    def created(self, resource_type: str) -> list[Resource]:
        """List the created resources of one type, oldest first."""
        return [resource for resource in self._of(resource_type) if is_new(resource)]

    def changed(self, resource_type: str) -> dict[str, Resource]:
        """Map the ids of changed resources of the record, of one type, to their newest versions."""
        return {resource["id"]: resource for resource in self._of(resource_type) if not is_new(resource)}

    @property
    def refs(self) -> tuple[ResourceRef, ...]:
        """List the references of all that was written, in order."""
        return tuple(self._resources)

    def snapshot(self) -> list[Resource]:
        """Give everything written as plain JSON values; ``Overlay(snapshot)`` holds the same."""
        return copy.deepcopy(list(self._resources.values()))

    def _of(self, resource_type: str) -> list[Resource]:
        return [copy.deepcopy(r) for r in self._resources.values() if r["resourceType"] == resource_type]


def is_new(resource: Mapping[str, Any]) -> bool:
    """Tell whether a session created a resource; else it is of the record."""
    return str(resource["id"]).startswith(NEW)


def _reference(resource: Mapping[str, Any]) -> ResourceRef:
    return ResourceRef(f"{resource['resourceType']}/{resource['id']}")
