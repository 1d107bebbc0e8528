"""All hosts that we know, by the name that settings and `--platform` use."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from hipocampus.hosts.host import Host

HOSTS: Mapping[str, Host] = MappingProxyType({})
