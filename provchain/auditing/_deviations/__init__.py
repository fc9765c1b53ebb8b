"""The plan against what ran: what the plan says, what the record shows, where they differ, and who was told."""
