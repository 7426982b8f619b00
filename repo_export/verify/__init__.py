"""Whether a memory repository is what it should be: the open format, what readers need, agreement with the store.

It only reads: files in, findings out. Each rule is one small function, so that a finding names the rule that raised it.
"""

from dreamd.repo_export.verify.checking import LEVELS, order, verify
from dreamd.repo_export.verify.finding import Finding, Known
from dreamd.repo_export.verify.tree import is_entry_file

__all__ = ["LEVELS", "Finding", "Known", "is_entry_file", "order", "verify"]
