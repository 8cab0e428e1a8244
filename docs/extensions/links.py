"""The roles `rule` and `regel`, which link to the English and the German text of a clause.

The tooltip of the link is the title of the clause.  On the page with the whole rulebook, the link
leads to an anchor on the same page.
"""

from functools import cache
from pathlib import Path
from typing import Final

from docutils import nodes
from languages import REFERS, folder_of
from markup import ROOT
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole
from sphinx.util.typing import ExtensionMetadata

from spec import traceability
from valletta_rules.specification.phrases import key_in

logger = logging.getLogger(__name__)

WHOLE: Final = "rulebook/whole"
"""The page that contains all clauses in both languages."""


ROLES: Final = {role: language for language, (role, _) in REFERS.items()}
"""The language of each role that links to clauses."""


@cache
def repository() -> traceability.Repository:
    """Load the clauses and all mentions of them in the repository, once per build."""
    return traceability.Repository(ROOT)


def title_of(clause: str, language: str) -> str:
    """Return the title of a clause in a language; raise `KeyError` if the clause is unknown."""
    return str(getattr(repository().by_id[clause], key_in(language, "title")))


def place_of_clause(clause: str, language: str) -> str:
    """Return the address of the page about a clause, relative to the root of the build."""
    return f"{folder_of(language)}rule/{clause}.html"


def chapter_of(clause: str, language: str) -> str:
    """Return the address of a clause on its chapter's page, relative to the root of the build."""
    chapter = Path(repository().by_id[clause].place.path).stem
    return f"{folder_of(language)}rulebook/{chapter}.html#{clause.lower()}"


class ClauseRole(ReferenceRole):
    """A role that links to a clause.  The name of the role determines the language."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """Return the link.  For an unknown clause, return the plain text and log a warning."""
        clause, page, language = self.target, self.env.docname, ROLES[self.name]
        if clause not in repository().by_id:
            message = f"{self.name!r} reference target not found: {clause}"
            logger.warning(message, location=self.get_location())
            return [nodes.Text(self.title)], []
        self.env.note_dependency(ROOT / repository().by_id[clause].place.path)
        link = nodes.reference("", self.title, internal=True, clause=clause)
        link["reftitle"] = title_of(clause, language)
        if page.endswith(WHOLE):
            link["refid"] = f"{language}-whole-{clause.lower()}"
        else:
            link["refuri"] = "../" * page.count("/") + place_of_clause(clause, language)
        return [link], []


def setup(app: Sphinx) -> ExtensionMetadata:
    """Register the roles."""
    for role in ROLES:
        app.add_role(role, ClauseRole())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
