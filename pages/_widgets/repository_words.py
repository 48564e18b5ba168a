"""Why a repository cannot be handed in, as sentences; by the code of the error and its reason."""

from collections.abc import Mapping

from pages._widgets.words import N_

REPOSITORY_SENTENCES: Mapping[str, tuple[str, ...]] = {
    "hand_in.git_missing": (
        N_(
            "This server has no git of version 2.37 or newer, so repositories cannot be fetched. Nothing was changed. "
            "Hand in a zip, or ask the person who runs the server to install git."
        ),
    ),
    "hand_in.git_address": (
        N_(
            "This is not the address of a repository. Nothing was changed. "
            "Copy the https address from the page of the repository."
        ),
    ),
    "hand_in.git_transport": (
        N_(
            "Only addresses that begin with https are open here. Nothing was changed. "
            "Copy the https address from the page of the repository."
        ),
    ),
    "hand_in.git_login": (
        N_(
            "The address holds a user name or password, which must not be kept. Nothing was changed. "
            "Take it out; a private repository is handed in as a zip."
        ),
    ),
    "hand_in.git_private": (
        N_(
            "{host} is this server or stands in a private network, and such addresses are closed. "
            "Nothing was changed. Use a public address, or hand in a zip."
        ),
    ),
    "hand_in.git_host": (
        N_(
            "{host} could not be reached. Nothing was changed. "
            "Check the address, try again in a few minutes, or hand in a zip."
        ),
    ),
    "hand_in.git_name": (
        N_("This cannot be the name of a branch, tag or commit. Nothing was changed. Correct it and fetch again."),
    ),
    "hand_in.git_unknown": (
        N_(
            "The repository has no branch, tag or commit {name}. Nothing was changed. "
            "Check the spelling, and whether it has been pushed."
        ),
    ),
    "hand_in.git_closed": (
        N_(
            "There is no repository that can be read without signing in. Nothing was changed. "
            "Check the address; a private repository is handed in as a zip."
        ),
    ),
    "hand_in.git_moved": (
        N_(
            "The repository has moved to another address, which is not followed. Nothing was changed. "
            "Open it in the browser and copy the address that it has now."
        ),
    ),
    "hand_in.git_owner": (
        N_(
            "This folder belongs to another user of the machine, so git does not read it. Nothing was changed. "
            "Hand in a zip of it."
        ),
    ),
    "hand_in.git_time": (
        N_(
            "Fetching took longer than {seconds} s and was ended. Nothing was changed. "
            "Try again later, or hand in a zip of the source."
        ),
    ),
    "hand_in.git_size": (
        N_("The repository is larger than {limit_mb} MB. Nothing was changed. Hand in a zip of the source only."),
    ),
    "hand_in.git_stopped": (N_("Fetching was stopped. Nothing was changed. Fetch again when you like."),),
    "hand_in.git_failed": (
        N_(
            "Git could not read the repository. Nothing was changed. The details say what git reports; a zip works too."
        ),
    ),
}
