"""An agent sees what its configuration lists and nothing else."""

import pytest

from graph.errors import ConfigError, Forbidden
from graph.model.access import is_configurable, parsed, policy


def test_an_agent_without_an_entry_sees_global_and_its_own_and_writes_to_its_own() -> None:
    plain = policy()
    assert plain.accessible("bot") == ("global", "agent:bot")
    assert plain.writes_to("bot") == "agent:bot"
    assert not plain.allows("bot", "agent:other")


def test_an_entry_is_exact_and_may_take_the_own_scope_away() -> None:
    listed = policy(["custom:work"], access={"coder": ["global", "custom:work"], "mute": []})
    assert not listed.allows("coder", "agent:coder")
    assert listed.writes_to("coder") == "global"
    assert listed.accessible("mute") == ()
    with pytest.raises(Forbidden):
        listed.writes_to("mute")


def test_nobody_sees_every_scope_and_writes_to_the_default() -> None:
    team = policy(["team"], "team")
    assert team.accessible(None) is None
    assert team.allows(None, "agent:anything")
    assert team.writes_to(None) == "team"


def test_a_default_that_is_not_defined_is_an_error_and_an_unknown_scope_a_warning() -> None:
    with pytest.raises(ConfigError):
        policy(default="team")
    with pytest.raises(ConfigError):
        policy(access={"a": ["has space"]})
    assert policy(access={"a": ["project:x", "agent:a"]}).warnings == (
        "scope 'project:x' is listed for an agent but not defined",
    )


@pytest.mark.parametrize(("scope", "valid"), [("project:web_1.2", True), ("tag/2", False), ("", False), ("x" * 101, False)])
def test_configured_scopes_keep_to_a_narrow_set_of_characters(scope: str, valid: bool) -> None:
    assert is_configurable(scope) is valid


def test_a_scope_is_read_as_its_kind_and_id() -> None:
    assert [parsed(scope) for scope in ("global", "agent:a:b", "plain")] == [("global", ""), ("agent", "a:b"), None]
