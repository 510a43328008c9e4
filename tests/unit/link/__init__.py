"""Tests of graph.link: names, entities, facts, causes, references and neighbours over the embedded stores."""
