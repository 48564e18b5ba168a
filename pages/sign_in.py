"""The one page of a visitor who has not signed in."""

from pages._widgets import closed

closed.draw()
