"""Which addresses git may be given: nothing that runs a command, asks for a password or leads inside."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import HandInError
from engine.work.git_address import (
    GitPolicy,
    GitProblem,
    GitTarget,
    Transport,
    check_host,
    is_public,
    read_address,
    read_name,
)

OPEN = GitPolicy(local=True, ssh=True)
CLOSED = GitPolicy()


def reason(address: str, policy: GitPolicy = CLOSED) -> str:
    with pytest.raises(HandInError) as caught:
        read_address(address, policy)
    return caught.value.reason


@pytest.mark.parametrize(
    ("address", "problem"),
    [
        pytest.param("", GitProblem.ADDRESS, id="nothing"),
        pytest.param("shop", GitProblem.ADDRESS, id="a word"),
        pytest.param("--upload-pack=touch x", GitProblem.ADDRESS, id="an option"),
        pytest.param("-oProxyCommand=x", GitProblem.ADDRESS, id="an option of ssh"),
        pytest.param("ext::sh", GitProblem.TRANSPORT, id="a command"),
        pytest.param("ext::sh -c touch% x", GitProblem.ADDRESS, id="a command with blanks"),
        pytest.param("fd::17", GitProblem.TRANSPORT, id="a file descriptor"),
        pytest.param("http://git.example/a", GitProblem.TRANSPORT, id="http"),
        pytest.param("git://git.example/a", GitProblem.TRANSPORT, id="the git protocol"),
        pytest.param("ftp://git.example/a", GitProblem.TRANSPORT, id="ftp"),
        pytest.param("ssh://git@git.example/a", GitProblem.TRANSPORT, id="ssh where it is closed"),
        pytest.param("git@git.example:a/b", GitProblem.TRANSPORT, id="short ssh where it is closed"),
        pytest.param("/etc", GitProblem.TRANSPORT, id="a path where it is closed"),
        pytest.param("file:///etc", GitProblem.TRANSPORT, id="a file address where it is closed"),
        pytest.param("~/shop", GitProblem.TRANSPORT, id="a home where it is closed"),
        pytest.param("../shop", GitProblem.TRANSPORT, id="a relative path"),
        pytest.param("https://ada:pw@git.example/a", GitProblem.LOGIN, id="a password"),
        pytest.param("https://token@git.example/a", GitProblem.LOGIN, id="a user"),
        pytest.param("https://git.example", GitProblem.ADDRESS, id="no path"),
        pytest.param("https:///a", GitProblem.ADDRESS, id="no host"),
        pytest.param("https://-git.example/a", GitProblem.ADDRESS, id="a host like an option"),
        pytest.param("https://git.example./a", GitProblem.ADDRESS, id="a dot after the host"),
        pytest.param("https://git.example\\@127.0.0.1/a", GitProblem.LOGIN, id="another host behind a backslash"),
        pytest.param("https://git.example:port/a", GitProblem.ADDRESS, id="a port that is none"),
        pytest.param("https://git.example/a?b=c", GitProblem.ADDRESS, id="a query"),
        pytest.param("https://git.example\\a/b", GitProblem.ADDRESS, id="a backslash"),
        pytest.param("https://g\u00efthub.example/a", GitProblem.ADDRESS, id="a letter that looks like another"),
        pytest.param("https://git.example/a b", GitProblem.ADDRESS, id="a blank"),
        pytest.param("https://git.example/\x00", GitProblem.ADDRESS, id="a NUL"),
        pytest.param(f"https://git.example/{'a' * 1000}", GitProblem.ADDRESS, id="too long"),
    ],
)
def test_everything_but_a_plain_https_address_is_refused(address: str, problem: GitProblem) -> None:
    assert reason(address) == problem


@pytest.mark.parametrize(
    ("address", "transport", "host", "port"),
    [
        ("https://git.example/ada/shop.git", Transport.HTTPS, "git.example", 443),
        ("HTTPS://Git.Example:8443/ada/shop", Transport.HTTPS, "git.example", 8443),
        ("ssh://git@git.example:2222/ada/shop", Transport.SSH, "git.example", 2222),
        ("git@git.example:ada/shop.git", Transport.SSH, "git.example", 22),
    ],
)
def test_what_is_permitted_is_read_with_its_host(address: str, transport: Transport, host: str, port: int) -> None:
    assert read_address(address, OPEN) == GitTarget(url=address, transport=transport, host=host, port=port)


def test_a_path_is_open_only_where_it_is_permitted_and_a_folder(tmp_path: Path) -> None:
    assert read_address(f"file://{tmp_path}", OPEN) == GitTarget(url=str(tmp_path), transport=Transport.FILE)
    assert reason(str(tmp_path / "nowhere"), OPEN) == GitProblem.CLOSED
    (tmp_path / "bundle").touch()
    assert reason(str(tmp_path / "bundle"), OPEN) == GitProblem.CLOSED
    assert reason(str(tmp_path)) == GitProblem.TRANSPORT


@pytest.mark.parametrize("address", ["git@-oProxyCommand=x:a", "ssh://-oProxyCommand=x/a", "git@git.example:-a"])
def test_an_ssh_address_holds_no_option(address: str) -> None:
    assert reason(address, OPEN) in {GitProblem.ADDRESS, GitProblem.TRANSPORT}


@pytest.mark.parametrize(
    "name",
    ["-x", "--upload-pack=touch x", "+main", "a b", "a:b", "a..b", "a^", "a~1", "*", "@{-1}", "a\nb", "/a", ".a"],
)
def test_a_name_that_git_would_take_for_something_else_is_refused(name: str) -> None:
    with pytest.raises(HandInError) as caught:
        read_name(name)
    assert caught.value.reason == GitProblem.NAME


@pytest.mark.parametrize(
    ("name", "read"), [("", "HEAD"), (" main ", "main"), ("feature/搜索", "feature/搜索"), ("v1.0", "v1.0")]
)
def test_names_of_branches_tags_and_commits_are_taken(name: str, read: str) -> None:
    assert read_name(name) == read


@given(st.text(max_size=60))
@settings(max_examples=200, deadline=None)
def test_no_text_becomes_an_option_or_another_transport(text: str) -> None:
    try:
        target = read_address(text, CLOSED)
    except HandInError:
        return
    assert target.url.lower().startswith("https://")
    assert target.transport is Transport.HTTPS
    assert "@" not in target.url.split("/")[2]


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
        "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8",
        "64:ff9b::7f00:1",
        "2002:7f00:1::", "2001:0:7f00:1::", "ff02::1", "::127.0.0.1", "not an address",
    ],
)  # fmt: skip
def test_addresses_of_this_machine_and_of_private_networks_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "140.82.121.4", "2606:50c0:8000::153"])
def test_addresses_of_the_internet_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("addresses", "problem"),
    [
        pytest.param((), GitProblem.HOST, id="an unknown name"),
        pytest.param(("127.0.0.1",), GitProblem.PRIVATE, id="this machine"),
        pytest.param(("8.8.8.8", "10.0.0.1"), GitProblem.PRIVATE, id="one of two inside"),
    ],
)
def test_every_address_of_a_host_must_be_public(addresses: tuple[str, ...], problem: GitProblem) -> None:
    target = read_address("https://git.example/a", CLOSED)
    with pytest.raises(HandInError) as caught:
        check_host(target, lambda _host, _port: addresses)
    assert (caught.value.reason, caught.value.values["host"]) == (problem, "git.example")
