"""From the command to the first window: environment, application, logs, and what is left after a crash."""
