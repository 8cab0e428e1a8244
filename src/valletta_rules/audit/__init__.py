"""The audit: detection of positions, views and outcomes that no game can produce."""

from valletta_rules.audit.impossible import Impossible as Impossible
from valletta_rules.audit.positions import problems_of as problems_of
from valletta_rules.audit.views import problems_of_outcome as problems_of_outcome
from valletta_rules.audit.views import problems_of_view as problems_of_view
