"""Settings in one frozen class: the only reader of the environment.

Precedence: what the caller passes, then BACKSTORY_* variables (`__` between levels), then `config.yaml`, `config.yml` or
`config.toml` in the data directory, then the defaults here. Unknown keys in a config file are refused by name.
"""

import os
import tomllib
from pathlib import Path
from typing import Any, Literal

import platformdirs
import yaml
from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationError
from pydantic_settings import BaseSettings, EnvSettingsSource, SettingsConfigDict

from graph.errors import BackstoryError, ConfigError
from graph.model.scopes import DEFAULT_SCOPE, Scope

CONFIG_FILES = ("config.yaml", "config.yml", "config.toml")
MIB = 1024 * 1024
GROUP = ConfigDict(frozen=True, extra="forbid")


class RunnerSettings(BaseModel):
    """How background work is driven. Seconds throughout; `attempts` is how often a piece may fail by itself."""

    model_config = GROUP

    batch: int = Field(default=64, ge=1, le=1000)
    attempts: int = Field(default=5, ge=1, le=100)
    outage_attempts: int = Field(default=50, ge=1)  # failures of a store or model are not the piece's own
    backoff: float = Field(default=1.0, ge=0)
    backoff_cap: float = Field(default=300.0, ge=0)
    lease: float = Field(default=6 * 3600.0, gt=0)  # one owner: leases of a dead one are released when the next opens
    project_deadline: float = Field(default=300.0, gt=0)
    extract_deadline: float = Field(default=600.0, gt=0)
    link_deadline: float = Field(default=600.0, gt=0)
    deadline_per_mib: float = Field(default=1800.0, ge=0)  # more seconds for each MiB of text in a call
    idle_poll: float = Field(default=1.0, gt=0)
    flush_every: float = Field(default=5.0, gt=0)
    stop_grace: float = Field(default=10.0, ge=0)


class TokenSettings(BaseModel):
    """An agent's bearer token: the SHA-256 (hex) of its secret, the scopes it may touch (patterns), and its rights."""

    model_config = GROUP

    agent: str = Field(min_length=1, max_length=128)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    scopes: tuple[str, ...] = Field(min_length=1)
    default_scope: Scope | None = None
    rights: tuple[Literal["read", "write", "tend"], ...] = ("read", "write")


class HttpSettings(BaseModel):
    """The REST door. The daemon serves its Unix socket; `host` and `port` open a TCP door beside it.

    That is loopback unless there are `tokens`; with tokens, every request over TCP must show one.
    """

    model_config = GROUP

    host: str | None = None
    port: int = Field(default=7867, ge=1, le=65535)
    allowed_hosts: tuple[str, ...] = ("localhost", "127.0.0.1", "[::1]", "::1")
    tokens: tuple[TokenSettings, ...] = ()
    max_at_once: int = Field(default=256, ge=1)  # requests under way; more are told to come back
    max_body_bytes: int = Field(default=64 * MIB, ge=1024)
    max_batch: int = Field(default=1000, ge=1)
    max_wait: float = Field(default=60.0, ge=0)  # seconds that one request may wait for work to be done


class ExtractSettings(BaseModel):
    """How texts are read: by rules, or also by a language model at an OpenAI-compatible `url` (its base, ending in /v1).

    `both` adds what the model reads to the rules' reading, `llm` puts it in the place of their decisions, causes and triples;
    where the model fails, the rules' reading stays. `calls` bounds the requests of one batch, failures among them.
    """

    model_config = GROUP

    by: Literal["rules", "llm", "both"] = "rules"
    url: str = ""
    model: str = ""
    api_key: SecretStr = SecretStr("")
    timeout: float = Field(default=60.0, gt=0)  # seconds
    calls: int = Field(default=3, ge=1, le=10)
    prompt_price: float | None = Field(default=None, ge=0)  # of one token, in any currency
    completion_price: float | None = Field(default=None, ge=0)


class ScheduleSettings(BaseModel):
    """How often the sweeps of the server mode are due, in seconds."""

    model_config = GROUP

    relay: float = Field(default=1.0, gt=0)
    curate: float = Field(default=24 * 3600.0, gt=0)


class ServerSettings(BaseModel):
    """The servers of the server mode. Each is also read from the plain variable that its own world uses (NEO4J_URI, ...)."""

    model_config = GROUP

    neo4j_uri: str
    neo4j_user: str = "neo4j"
    neo4j_password: SecretStr = SecretStr("")
    neo4j_database: str = "neo4j"
    qdrant_url: str
    qdrant_api_key: SecretStr = SecretStr("")
    qdrant_prefix: str = Field(default="backstory", pattern=r"^[A-Za-z0-9-]{1,64}$")
    broker_url: SecretStr
    events_queue: str = "backstory.events"  # plain JSON messages of other producers are taken in from here


# The names under which servers are known to their own tools; BACKSTORY_SERVER__... wins over them.
PLAIN_NAMES = {
    "neo4j_uri": "NEO4J_URI",
    "neo4j_user": "NEO4J_USER",
    "neo4j_password": "NEO4J_PASSWORD",
    "qdrant_url": "QDRANT_URL",
    "qdrant_api_key": "QDRANT_API_KEY",
    "broker_url": "REDIS_URL",
}


class Settings(BaseSettings):
    """Everything that can be set. `data` is the directory that one process owns."""

    model_config = SettingsConfigDict(env_prefix="BACKSTORY_", env_nested_delimiter="__", frozen=True, extra="forbid")

    data: Path
    scope: Scope = DEFAULT_SCOPE
    model: str = Field(default="minilm", min_length=1)  # or the folder or hub name of a sentence-transformers model
    embedding_cache: Path | None = None  # a file that keeps embeddings between runs, for benches that repeat themselves
    extract: ExtractSettings = ExtractSettings()
    extract_in_child: bool = False  # read texts in a process of its own; the daemon does
    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["auto", "json", "columns"] = "auto"
    idle_exit: float | None = Field(default=None, gt=0)  # seconds without a request or work after which the daemon ends
    runner: RunnerSettings = RunnerSettings()
    http: HttpSettings = HttpSettings()
    mode: Literal["embedded", "server"] = "embedded"
    server: ServerSettings | None = None
    schedule: ScheduleSettings = ScheduleSettings()

    @property
    def database(self) -> Path:
        return self.data / "backstory.db"

    @property
    def vectors(self) -> Path:
        return self.data / "vectors"

    @property
    def log_file(self) -> Path:
        return self.data / "daemon.log"


def data_directory(given: Path | str | None = None) -> Path:
    """The data directory: `given`, else $BACKSTORY_DATA, else the platform's own place for user data. Absolute."""
    chosen = given or os.environ.get("BACKSTORY_DATA") or platformdirs.user_data_dir("backstory", appauthor=False)
    return Path(chosen).expanduser().absolute()


def load(data: Path | str | None = None, **overrides: Any) -> Settings:
    """Return the settings for a data directory. Raises ConfigError, naming the key, for anything that cannot be used."""
    directory = data_directory(data)
    source, from_file = _config_file(directory)
    merged = _over(_over(from_file, EnvSettingsSource(Settings)()), overrides) | {"data": directory}
    if merged.get("mode") == "server":
        merged["server"] = _plain() | (merged.get("server") or {})
    try:
        return Settings(**merged)
    except ValidationError as error:
        raise ConfigError(_reason(error, source)) from error
    except BackstoryError as error:
        raise ConfigError(f"{source}: {error.message}") from error


def _plain() -> dict[str, str]:
    return {name: os.environ[plain] for name, plain in PLAIN_NAMES.items() if plain in os.environ}


def _config_file(directory: Path) -> tuple[str, dict[str, Any]]:
    for name in CONFIG_FILES:
        path = directory / name
        if path.is_file():
            return str(path), _parsed(path)
    return "settings", {}


def _parsed(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text) if path.suffix == ".toml" else yaml.safe_load(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{path}: cannot be read: {' '.join(str(error).split())}") from error
    if values is None:
        return {}
    if not isinstance(values, dict) or not all(isinstance(key, str) for key in values):
        raise ConfigError(f"{path}: must be a table of names and values")
    if "data" in values:
        raise ConfigError(f"{path}: unknown key 'data': the data directory is given by --data or BACKSTORY_DATA")
    return values


def _over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Merge two levels of tables; values of `above` win."""
    merged = dict(below)
    for key, value in above.items():
        nested = isinstance(value, dict) and isinstance(merged.get(key), dict)
        merged[key] = _over(merged[key], value) if nested else value
    return merged


def _reason(error: ValidationError, source: str) -> str:
    parts = []
    for item in error.errors(include_url=False, include_input=False):
        key = ".".join(map(str, item["loc"]))
        parts.append(f"unknown key {key!r}" if item["type"] == "extra_forbidden" else f"{key}: {item['msg']}")
    return f"{source}: {'; '.join(parts)}"
