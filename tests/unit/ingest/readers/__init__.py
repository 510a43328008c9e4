"""Tests of the readers, one file per family of formats."""
