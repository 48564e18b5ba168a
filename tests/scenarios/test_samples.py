"""The sample projects are real, and handing them in shows what they are for."""

import io
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from engine.domain.people import LOCAL_VIEWER
from engine.domain.states import CriterionStatus, Language
from engine.review.ci_report import read_report
from engine.review.card import read_card
from engine.scenarios.samples import Sample, sample_files, sample_project
from engine.work.unpack import Upload, read_hand_in
from tests.review.desk import Desk

both_languages = pytest.mark.parametrize("language", Language)
