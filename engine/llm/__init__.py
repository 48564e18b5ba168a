"""The one door to language models, and the two models that answer in-process: offline and scripted."""
