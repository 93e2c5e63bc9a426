"""The event log: sessions, their events, what jobs printed, and the locks that keep programs apart."""
