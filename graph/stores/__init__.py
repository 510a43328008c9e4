"""Adapters behind the storage ports. `embedded` needs nothing but Python packages. Named only by infra."""
