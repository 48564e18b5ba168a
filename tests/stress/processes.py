"""New processes that share nothing with the one that starts them, and do not import everything anew."""

import multiprocessing
from multiprocessing.context import ForkServerContext

PRELOADED = ("tests.stress.victim", "tests.stress.numbering", "engine.job_process")


def fresh_processes() -> ForkServerContext:
    """Processes that begin as copies of one that has imported the product and done nothing else."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context
