"""entities: list them, merge two, split one, take either back."""

from argparse import Namespace
from typing import Any

from backstory import calls
from backstory.cli import exits
from backstory.cli.printing import clean
from backstory.cli.session import out, print_json, scope, scopes, send


def entities(options: Namespace) -> int:
    """Ids come from `entities list`; a change prints the id that takes it back."""
    if options.action == "list":
        return _listed(
            options, send(options, calls.entities(scopes(options), prefix=" ".join(options.ids), limit=options.limit))
        )
    wanted = {"merge": 2, "split": 1, "undo": 1}[options.action]
    if len(options.ids) != wanted or (options.action == "split" and not (options.observations and options.name)):
        out(f"entities {options.action} needs {_NEEDS[options.action]}")
        return exits.USAGE
    body = send(options, _call(options))
    if options.json:
        print_json(body)
    else:
        out(f"{body['kind']}: {body['edges']} links, {body['facts']} facts. Undo: backstory entities undo {body['entity']}")
    return exits.OK


_NEEDS = {
    "merge": "two ids: the entity that stays, and the one that becomes part of it",
    "split": "one id, --name NAME and --observations ID...",
    "undo": "one id: the entity that was merged away or split off",
}


def _call(options: Namespace) -> calls.Call:
    where = scope(options)
    if options.action == "merge":
        return calls.merge_entities(where, *options.ids)
    if options.action == "split":
        return calls.split_entity(where, options.ids[0], options.observations, options.name, options.type)
    return calls.undo_entity(where, options.ids[0])


def _listed(options: Namespace, body: dict[str, Any]) -> int:
    if options.json:
        print_json(body)
        return exits.OK
    for one in body["entities"]:
        aliases = f"  also {', '.join(map(clean, one['aliases']))}" if one["aliases"] else ""
        out(f"{one['id']}  {one['mentions']:>6}  {one['type']:<12}  {clean(one['name'])}{aliases}")
    if not body["entities"]:
        out("None.")
    return exits.OK
