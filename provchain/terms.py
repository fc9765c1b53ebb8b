"""Every class and property that provchain writes or asks for, as plain strings.

A typing error in a term would not raise anywhere else: the query would just find nothing. So a term that is not listed
here raises at once (``PC.statsu`` is an `AttributeError`). ``schemas/provchain.ttl`` says what our own terms mean; a
test holds the list below inside it.

This module imports nothing of ours and no RDF library.

Spec: https://www.w3.org/TR/prov-o/, http://purl.org/net/p-plan, https://www.w3.org/TR/EARL10-Schema/,
https://www.w3.org/TR/annotation-model/, https://w3id.org/ro/terms/workflow-run
"""

from __future__ import annotations

from collections.abc import Iterator

__all__ = [
    "DCTERMS",
    "EARL",
    "OA",
    "PC",
    "PPLAN",
    "PREFIXES",
    "PROV",
    "RDF",
    "RDFS",
    "SCHEMA",
    "WFRUN",
    "XSD",
    "Namespace",
]


class Namespace:
    """A closed list of terms under one IRI.

    Attributes:
        prefix: The prefix used in every Turtle and SPARQL file of ours.
        base: The IRI that the terms start with.

    Example:
        >>> PROV.used
        'http://www.w3.org/ns/prov#used'
        >>> PROV.uesd
        Traceback (most recent call last):
        AttributeError: prov:uesd is no term that provchain uses
    """

    prefix: str
    base: str

    def __init__(self, prefix: str, base: str, terms: str) -> None:
        self.__dict__.update({name: base + name for name in terms.split()})
        self.__dict__.update(prefix=prefix, base=base, _names=tuple(terms.split()))

    def __getattr__(self, name: str) -> str:
        raise AttributeError(f"{self.prefix}:{name} is no term that provchain uses")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"the terms of {self.prefix}: are fixed")

    def __iter__(self) -> Iterator[str]:
        """Iterate over the IRIs of all terms, in the order of their definition."""
        return (self.base + name for name in self.__dict__["_names"])


PC = Namespace(
    "pc",
    "https://w3id.org/provchain/ns#",
    # classes
    "Study Source Observer Testimony Environment Author Execution Authoring Audit Path Artifact Value Extraction"
    " LineColumnSelector lineFragment Claim Link Deviation Finding Remark Waiver Assertion ChainTest"
    # the role of an input
    " data checkpoint code config log"
    # identity and places
    " id path line column at selector text written section row header caption"
    # plans, steps, activities
    " script origin simulation planned substitute madeUp typedIn fixedIn isCopy attestedBy command workingDirectory status"
    " statusSource exitCode started ended tool knownFrom"
    # artifacts and values
    " ordinal kind size external altered onDisk lexical percent"
    # claims and links
    " role why measured claim operand relation tier rank rule scale agrees note restsOn"
    # deviations, findings, verdicts
    " about message onChainOf recorded disclosed severity strength verdict outcome breakLink breakAt breakWhy"
    # remarks, waivers
    " speaker concerns reason by counts"
    # sources, studies, documents
    " adapter title overwrites extra",
)
"""Our own vocabulary."""

PROV = Namespace(
    "prov",
    "http://www.w3.org/ns/prov#",
    "Entity Activity Agent SoftwareAgent Plan Bundle Location Role used wasGeneratedBy wasDerivedFrom"
    " wasRevisionOf wasQuotedFrom hadPrimarySource wasAttributedTo wasAssociatedWith actedOnBehalfOf wasInformedBy"
    " wasStartedBy wasEndedBy wasInvalidatedBy wasInfluencedBy specializationOf alternateOf hadMember mentionOf"
    " asInBundle atLocation value startedAtTime endedAtTime atTime qualifiedUsage qualifiedGeneration"
    " qualifiedDerivation qualifiedRevision qualifiedQuotation qualifiedPrimarySource qualifiedAttribution"
    " qualifiedAssociation qualifiedDelegation qualifiedCommunication qualifiedStart qualifiedEnd"
    " qualifiedInvalidation qualifiedInfluence Usage Generation Derivation Revision Quotation PrimarySource"
    " Attribution Association Delegation Communication Start End Invalidation Influence entity activity agent"
    " influencer hadRole hadPlan hadActivity hadGeneration hadUsage",
)
"""W3C PROV-O."""

PPLAN = Namespace("p-plan", "http://purl.org/net/p-plan#", "Plan Step isStepOfPlan correspondsToStep")
"""P-PLAN: plans and their steps."""

SCHEMA = Namespace(
    "schema",
    "http://schema.org/",
    "Claim error actionStatus CompletedActionStatus FailedActionStatus ActiveActionStatus",
)
"""schema.org, under the IRI that RO-Crate uses."""

EARL = Namespace(
    "earl",
    "http://www.w3.org/ns/earl#",
    "Assertion TestCase TestResult assertedBy subject test mode result outcome automatic"
    " passed failed cantTell inapplicable untested",
)
"""W3C EARL: who asserts which outcome of which test."""

OA = Namespace(
    "oa",
    "http://www.w3.org/ns/oa#",
    "hasSource hasSelector Selector FragmentSelector TextQuoteSelector exact",
)
"""W3C Web Annotation: places inside a document."""

DCTERMS = Namespace("dcterms", "http://purl.org/dc/terms/", "conformsTo isPartOf title identifier")
"""Dublin Core terms."""

WFRUN = Namespace("wfrun", "https://w3id.org/ro/terms/workflow-run#", "sha256")
"""Workflow Run RO-Crate."""

RDF = Namespace("rdf", "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "type value Property")
"""RDF itself."""

RDFS = Namespace(
    "rdfs", "http://www.w3.org/2000/01/rdf-schema#", "Class label comment isDefinedBy subClassOf subPropertyOf"
)
"""RDF Schema."""

XSD = Namespace(
    "xsd",
    "http://www.w3.org/2001/XMLSchema#",
    "string boolean integer int long decimal double dateTime anyURI QName",
)
"""Datatypes."""

PREFIXES: dict[str, str] = {
    space.prefix: space.base for space in (PC, PROV, PPLAN, SCHEMA, EARL, OA, DCTERMS, WFRUN, RDF, RDFS, XSD)
}
"""Prefix to IRI, for writers of Turtle, TriG and PROV-JSON."""
