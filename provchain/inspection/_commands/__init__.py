"""What the programs of a shell do with their words: the tables and rules behind `inspection.commands`."""
