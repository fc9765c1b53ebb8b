"""Records as a W3C PROV graph: mapping, store, and the PROV formats in and out.

The only part of provchain that knows the RDF engines. `mapping` makes quads of a study, `store` keeps and asks them,
`interchange` reads and writes PROV documents. One intermediate form, `statements`, stands between records, quads and
PROV documents, so that a study exported as PROV-JSON and read back says what its quads said.
"""
