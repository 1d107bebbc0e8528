"""`python -m hipocampus`."""

from hipocampus.cli.main import main

if __name__ == "__main__":
    main()
