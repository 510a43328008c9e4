"""Background tasks of the server mode (Celery): ids in, one call of a use case each.

`app.py` is the application; each other file names one kind of task. Imports infra and graph; never services.
"""
