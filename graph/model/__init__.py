"""The words of the house as values: events, observations, entities, facts, edges, questions, answers.

Everything here is frozen. Values that cross a door are pydantic models; values of the hot path are slotted dataclasses.
May be imported by every room; imports only graph.errors.
"""
