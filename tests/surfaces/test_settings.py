"""Settings: where they come from, which wins, and that nothing unknown is taken."""

from pathlib import Path

import pytest

from backstory import places
from graph.errors import ConfigError
from infra import settings


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BACKSTORY_DATA", "BACKSTORY_SCOPE", "BACKSTORY_RUNNER__BATCH", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)


def test_defaults_need_no_file(tmp_path: Path) -> None:
    loaded = settings.load(tmp_path)
    assert loaded.data == tmp_path
    assert loaded.scope == "global"
    assert loaded.runner.attempts == 5


@pytest.mark.parametrize(
    ("name", "text"),
    [("config.yaml", "scope: team\nrunner:\n  batch: 7\n"), ("config.toml", 'scope = "team"\n[runner]\nbatch = 7\n')],
)
def test_a_config_file_in_the_data_directory_is_read(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    loaded = settings.load(tmp_path)
    assert (loaded.scope, loaded.runner.batch, loaded.runner.attempts) == ("team", 7, 5)


def test_the_environment_wins_over_the_file_and_the_caller_over_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "config.yaml").write_text("scope: file\nrunner: {batch: 7, attempts: 3}\n")
    monkeypatch.setenv("BACKSTORY_SCOPE", "environment")
    monkeypatch.setenv("BACKSTORY_RUNNER__BATCH", "8")
    loaded = settings.load(tmp_path)
    assert (loaded.scope, loaded.runner.batch, loaded.runner.attempts) == ("environment", 8, 3)
    assert settings.load(tmp_path, scope="caller").scope == "caller"


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("retreive: {limit: 3}\n", "unknown key 'retreive'"),
        ("runner: {bacth: 3}\n", "unknown key 'runner.bacth'"),
        ("runner: {batch: many}\n", "runner.batch"),
        ("scope: ' odd'\n", "scope"),
        ("data: /elsewhere\n", "unknown key 'data'"),
        ("- a list\n", "must be a table"),
        ("scope: [unclosed\n", "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_by_the_name_of_its_key(tmp_path: Path, text: str, named: str) -> None:
    (tmp_path / "config.yaml").write_text(text)
    with pytest.raises(ConfigError) as caught:
        settings.load(tmp_path)
    assert named in caught.value.message
    assert "config.yaml" in caught.value.message


def test_an_empty_file_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_text("# nothing\n")
    assert settings.load(tmp_path).scope == "global"


def test_settings_cannot_be_changed(tmp_path: Path) -> None:
    with pytest.raises(Exception, match="frozen"):
        settings.load(tmp_path).scope = "other"  # type: ignore[misc]  # the point of the test


@pytest.mark.parametrize("variable", [None, "BACKSTORY_DATA", "XDG_DATA_HOME"])
def test_the_client_and_the_daemon_mean_the_same_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, variable: str | None
) -> None:
    """The client may not import the settings, so it says their rule again."""
    if variable:
        monkeypatch.setenv(variable, str(tmp_path / "x"))
    assert places.data_directory() == str(settings.data_directory())
    assert places.data_directory("~/given/../here") == str(settings.data_directory(Path("~/here")))
