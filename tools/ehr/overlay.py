"""The writes of one session, kept apart from the record."""

import copy
import threading
from collections.abc import Mapping, Sequence
from typing import Any

from state.base import ResourceRef
from state.trajectory import WriteRecord


class Overlay:
    """Resources created in one session, in order, and every write that was tried.

    Ids are ``new-1``, ``new-2`` ... over all resource types, so that a reference is never given twice. Resources go
    in and come out as copies: what was created cannot be changed from outside.
    """

    def __init__(self, created: Sequence[Mapping[str, Any]] = ()) -> None:
        """Begin empty, or with the resources of an earlier ``snapshot``."""
        self._created: list[dict[str, Any]] = [copy.deepcopy(dict(resource)) for resource in created]
        self._writes: list[WriteRecord] = []
        self._lock = threading.Lock()

    def create(self, resource: Mapping[str, Any]) -> dict[str, Any]:
        """Add a resource that has no id yet and return it as kept."""
        with self._lock:
            kept = {"resourceType": resource["resourceType"], "id": f"new-{len(self._created) + 1}"}
            kept |= copy.deepcopy(dict(resource))
            self._created.append(kept)
        return copy.deepcopy(kept)

    def created(self, resource_type: str) -> list[dict[str, Any]]:
        """List the created resources of one type, oldest first."""
        return [copy.deepcopy(r) for r in self._created if r["resourceType"] == resource_type]

    def record(self, write: WriteRecord) -> None:
        """Remember a write that was tried, accepted or not."""
        self._writes.append(write)

    @property
    def writes(self) -> tuple[WriteRecord, ...]:
        """List every write tried on this overlay, in order."""
        return tuple(self._writes)

    @property
    def refs(self) -> tuple[ResourceRef, ...]:
        """List the references of created resources, in order."""
        return tuple(ResourceRef(f"{r['resourceType']}/{r['id']}") for r in self._created)

    def snapshot(self) -> list[dict[str, Any]]:
        """Give everything created as plain JSON values; ``Overlay(snapshot)`` holds the same."""
        return copy.deepcopy(self._created)
