"""What the project costs, measured side by side with its peers on one machine."""
