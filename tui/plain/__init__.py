"""The same work without a full screen: one line after the other, as a screen reader wants it."""
