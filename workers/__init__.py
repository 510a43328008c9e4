"""Background tasks for the server mode: ids in, one use case each."""
