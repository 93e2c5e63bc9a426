"""The event log in PostgreSQL. Imported only where the setting `store`, or a plugin's own, names a server."""
