"""The commands, one file each; `treadle.tui.cli` loads a command's file when it is used."""
