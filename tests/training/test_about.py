"""What is written beside weights names the command that made them, and no folder of the machine that ran it."""

import datetime
import json
import sys

from companion.training.about import made_by, write_about


def test_the_command_is_told_without_the_folders_of_its_machine(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", ["train.py", "--pictures", "/home/somebody/khet=2", "--seed", "1"])
    write_about(tmp_path / "khet.json", made_by("train", cells=3))
    assert json.loads((tmp_path / "khet.json").read_text()) == {
        "made": datetime.date.today().isoformat(),
        "command": "python -m companion.training.train --pictures khet=2 --seed 1",
        "cells": 3,
    }
