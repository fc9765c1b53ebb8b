"""How remarks are found: the prose of a text cut into sentences, and the wording by which each kind of remark is known."""
