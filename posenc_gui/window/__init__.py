"""The main window: layout, menus, commands and status line."""
