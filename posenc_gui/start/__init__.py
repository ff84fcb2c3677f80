"""The start of the program: checks of the machine, application, log, and recovery after a crash."""
