"""Does what a worker does at its end, and no work: it ends when its standard input does."""

import sys

if __name__ == "__main__":
    sys.stdin.buffer.read()
