"""What kind of thing a name is: labels of the statistical model, well-known technologies, telling words."""

import re

from graph.extract.names.given import is_given
from graph.model.entities import EntityType
from graph.text.names import name_key

LABELS = {
    "PERSON": EntityType.PERSON,
    "ORG": EntityType.ORGANISATION,
    "GPE": EntityType.LOCATION,
    "LOC": EntityType.LOCATION,
    "FAC": EntityType.LOCATION,
    "WORK_OF_ART": EntityType.DOCUMENT,
    "LAW": EntityType.DOCUMENT,
    "NORP": EntityType.CONCEPT,
    "EVENT": EntityType.EVENT,
    "PRODUCT": EntityType.TOOL,
    "LANGUAGE": EntityType.CONCEPT,
}

_OFTEN_PEOPLE = frozenset({"", "ORG", "GPE", "LOC", "NORP", "PRODUCT", "WORK_OF_ART", "FAC"})
_NUMBERLESS = frozenset({"PERSON", "GPE", "LOC", "NORP"})  # what the model calls so, with a digit in it, is something else

# Written in lower case as often as not, so neither the tagger nor capitals find them. Words of common English are left out.
TECHNOLOGIES = frozenset(
    """
    airflow angular ansible antd apache argocd asyncio aws azure babel bazel bigquery bitbucket bootstrap.css boto3 caddy
    cassandra celery chromadb circleci clickhouse cloudflare cmake cockroachdb codex confluence consul couchdb css cuda
    cypress dagster datadog debian deno django docker dockerfile duckdb dynamodb ecs eks elasticsearch electron.js elixir
    envoy erlang esbuild eslint etcd fastapi fastly fedora ffmpeg figma firebase flask flutter fluentd gcp gdb gevent
    gitlab github git golang grafana graphql gradle grpc gunicorn hadoop haproxy hazelcast helm heroku html httpx hugo
    huggingface influxdb istio javascript jaeger jenkins jest jinja jira jquery json jupyter jwt k8s k3s kafka keras
    keycloak kibana kotlin kubectl kubernetes laravel langchain linkerd linux llvm lodash logstash lucene mariadb
    matplotlib maven mcp memcached milvus minikube minio mlflow mongodb mongoose mqtt mypy mysql neo4j netlify nextjs
    nginx nodejs nomad npm numpy nuxt oauth okta onnx openapi openai opensearch openssl openstack opentelemetry pagerduty
    pandas parquet perl php pinecone playwright pnpm podman poetry.lock postgis postgres postgresql powershell prettier
    prometheus protobuf psycopg puppeteer pydantic pylint pypi pyright pytest python pytorch qdrant rabbitmq rails
    react reactjs redis redux redshift rollup rspec ruby rubocop saml scala scikit-learn scipy scylladb selenium
    sentry.io sinatra slack snowflake.com solr sonarqube spacy splunk sqlalchemy sqlite ssh ssl starlette streamlit
    supabase svelte swagger sveltekit tailwind tailwindcss temporal.io tensorflow terraform tls tokio tomcat
    traefik travis-ci trello typescript ubuntu uvicorn vercel vite vitest vmware vscode vuejs wasm weaviate
    webassembly webpack websocket websockets wsl yaml yarn.lock zabbix zeromq zookeeper zustand
    """.split()
)

_CLASS_NAME = re.compile(r"[A-Z][A-Za-z0-9]{3,60}")
_CLASS_ENDINGS = tuple(
    "Error Exception Warning Provider Client Encoder Handler Factory Manager Adapter Builder Config Context "
    "Interface Impl Test Tests Values Index View Model Schema Runner Parser Store Controller Service Repository "
    "Edit".split()
)
_HINTS: tuple[tuple[EntityType, re.Pattern[str]], ...] = (
    (EntityType.ORGANISATION, re.compile(r"\b(?:inc|corp|corporation|ltd|llc|gmbh|plc|university|institute|bank|team)$")),
    (EntityType.LOCATION, re.compile(r"\b(?:street|avenue|lake|river|island|islands|airport|park|square|beach|mountain)$")),
    (EntityType.SERVICE, re.compile(r"\b(?:api|service|server|gateway|backend|frontend|worker|cluster|queue)$")),
    (EntityType.PROJECT, re.compile(r"^project\b|\b(?:project|initiative)$")),
    (EntityType.EVENT, re.compile(r"\b(?:conference|festival|summit|war|olympics|championship|marathon|hackathon)$")),
    (EntityType.DOCUMENT, re.compile(r"^(?:pep|rfc|adr|cve|issue|pr|mr|ticket|bug)\b(?: \d+)+$")),
)


def type_of(name: str, label: str = "") -> EntityType:
    """The type of a name: a known technology, else the model's label, else a telling word, else OTHER."""
    if name.endswith(_CLASS_ENDINGS) and name not in _CLASS_ENDINGS and _CLASS_NAME.fullmatch(name):
        return EntityType.CONCEPT
    key = name_key(name)
    if key in TECHNOLOGIES or re.sub(r"(?: v?\d+)+$", "", key) in TECHNOLOGIES:
        return EntityType.TOOL
    if is_given(name) and label in _OFTEN_PEOPLE:
        return EntityType.PERSON
    if label in LABELS and not (label in _NUMBERLESS and any(c.isdigit() for c in name)):
        return LABELS[label]
    return next((kind for kind, pattern in _HINTS if pattern.search(key)), EntityType.OTHER)
