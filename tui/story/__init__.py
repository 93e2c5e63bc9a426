"""A session as it is told: lines that fold from its events, with what each discloses. Nothing here draws."""
