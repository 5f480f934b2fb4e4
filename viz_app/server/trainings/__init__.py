"""Trainings that the page begins and looks at, where it is served to this computer alone."""
