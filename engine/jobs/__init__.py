"""Work that goes on outside a page's script: who holds it, how far it is, and what became of orphans."""
