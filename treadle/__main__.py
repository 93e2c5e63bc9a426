"""The `treadle` command, also reached as `python -m treadle`."""

from __future__ import annotations


def main() -> None:
    """Run the command line and exit with its code."""
    from treadle.tui.cli import main as cli_main

    cli_main()


if __name__ == "__main__":
    main()
