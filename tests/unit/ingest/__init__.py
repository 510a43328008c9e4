"""Tests of the write side: readers, gate, splitter, recorder, projector."""
