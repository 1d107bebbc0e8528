"""The named tuples of what a hook loads do what those of `typing` do."""

from __future__ import annotations

import pickle
import subprocess
import sys

from hipocampus.named_tuple import NamedTuple


class Place(NamedTuple):
    """Where something is."""

    line: int
    source: str = "ROOT.md"

    @property
    def pointer(self) -> str:
        return f"{self.source}#L{self.line}"

    @classmethod
    def first(cls) -> Place:
        return cls(1)


def test_its_fields_are_those_that_were_annotated_with_their_defaults():
    place = Place(3)
    assert (place.line, place.source, place._fields) == (3, "ROOT.md", ("line", "source"))
    assert place == (3, "ROOT.md") == Place(source="ROOT.md", line=3)
    assert repr(place) == "Place(line=3, source='ROOT.md')"


def test_methods_properties_and_the_docstring_stay():
    assert Place(3).pointer == "ROOT.md#L3"
    assert Place.first()._replace(source="a.md").pointer == "a.md#L1"
    assert Place.__doc__ == "Where something is."


def test_it_takes_no_further_attributes_and_survives_a_pickle():
    place = Place(3)
    assert not hasattr(place, "__dict__")
    assert pickle.loads(pickle.dumps(place)) == place


def test_it_loads_no_typing():
    code = "import sys, hipocampus.recall.recall, hipocampus.setup.prompting; print('typing' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
