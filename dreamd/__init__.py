"""dreamd: a memory for agents that dreams, explains itself and can be undone.

The four rooms of the house (`lifecycle`, `reflection`, `repo_export`, `daemon`) are relative links to the folders
beside this one; everything is imported as `dreamd.<room>`.
"""

__version__ = "0.1.0"
