"""From extractions to edges: entities resolved, names matched, causes joined to effects, facts kept, neighbours found.

Use cases: `annotator.Annotator` (the step EXTRACT: what one passage says) and `linker.Linker` (the step LINK: how it is joined
to what is known). Judgement is pure and stands in causes, content, intervals, mentions and entities; the other modules ask
the ports. Imports graph.text, graph.ports and graph.model.
"""
