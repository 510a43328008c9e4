"""Routing: which backend answers a question, by ordered rules, costs and what the backends can do; and the envelope around it.

Pure decisions (rules, selection, adaptive, categories, clauses, relevance) and one loop that calls (dispatch). Rules and costs
are data. Nothing here is on by default: a caller names a profile. Imports graph.text, graph.ports and graph.model.
"""
