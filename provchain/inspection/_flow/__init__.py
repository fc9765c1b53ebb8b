"""The data flow behind `inspection.made_up`: an evaluator that follows where written values come from."""
