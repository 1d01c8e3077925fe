"""The site to read the course on: every lesson as a page, the guides, a glossary, feedback."""
