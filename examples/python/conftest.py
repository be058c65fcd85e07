pytest_plugins = ["backlot"]
