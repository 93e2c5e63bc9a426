"""Which files no model is shown, by their names: those made to hold secrets, and what is git's or Treadle's own.

It goes by names alone, which are known before anything is read. A secret in a file of another name is not found here;
keys by their shape, and the values of secret variables, are taken out of every request as well.
"""

from __future__ import annotations

import re

from treadle.core.paths import decode, reaches_into

_FOLDERS = (".git", "git~1", ".treadle", "treadl~1", ".ssh", ".gnupg")
_CODE = re.compile(
    r"\.(?:py[iw]?|ipynb|[cm]?[jt]sx?|vue|svelte|go|rs|java|kts?|scala|groovy|cs|fs|swift|php|rb|exs?|erl|hs|lua|pl|r|jl"
    r"|dart|c|h|cc|cpp|hpp|m|mm|sql|html?|css|scss|md|mdx|rst)$"
)
"""Programs and texts for people, which hold no secrets however they are called; shell scripts are none of these."""
_COPY = re.compile(r"(?:\.(?:bak|backup|old|orig|save|swp)|~)+$")
"""What editors and people add to the name of a copy, which holds the same."""
_EXAMPLE = re.compile(r"(?:^|\.)(?:examples?|samples?|templates?|dist)(?:\.|$)")
_ENVIRONMENT = re.compile(r"\.env.*|.+\.env(?:\.\w+)?")
_KEY = re.compile(
    r"id_(?:rsa|dsa|ecdsa|ed25519)(?![a-z0-9])(?!.*\.pub$).*"
    r"|.*\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|keystore|bks|ppk|crt|cer|der|csr|kdbx|ovpn)"
)
_LOGIN = re.compile(
    r"[._]netrc|\.npmrc|\.pypirc|\.?htpasswd|\.pgpass|\.my\.cnf|\.git-credentials|\.dockercfg|\.boto|\.s3cfg"
    r"|\.vault-token|kubeconfig|.*\.(?:tfstate|tfvars)(?:\.json)?"
)
_LOGIN_PLACES = (".docker/config.json", ".kube/config")
_SECRET = re.compile(r"(?<![a-z])(?:secrets?|credentials?|passwords?|passwd|service[-_]?account|adminsdk)(?![a-z])")
_DATA = re.compile(
    r"\.(?:json[5c]?|ya?ml|toml|ini|cfg|conf|config|properties|txt|xml|csv|tsv|plist|sqlite3?|db|enc|dat|bin|local)$"
)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def why_hidden(path: str) -> str:
    """Why no model may be shown the file of that portable name, in words that go on after "it is hidden: "; empty when
    it may. Source code is shown, whatever it is called."""
    whole = decode(path)
    if reaches_into(whole, *_FOLDERS):
        return "what is in that folder is for the person alone"
    whole = _COPY.sub("", _HUMP.sub("_", whole).casefold())
    name = whole.rpartition("/")[2]
    if _CODE.search(name):
        return ""
    if _KEY.fullmatch(name):
        return "it is a key or a certificate by its name"
    if _LOGIN.fullmatch(name) or whole.endswith(_LOGIN_PLACES):
        return "such a file holds logins"
    if _EXAMPLE.search(name):
        return ""
    if _ENVIRONMENT.fullmatch(name):
        return "such a file holds the settings of one machine, passwords and keys among them"
    return "it holds secrets by its name" if _is_secret_data(whole) else ""


def _is_secret_data(whole: str) -> bool:
    *folders, name = whole.split("/")
    bare = name.lstrip(".")
    if "." in bare and not _DATA.search(name):
        return False
    if {"secrets", ".secrets"}.intersection(folders):
        return True
    # Without an ending it may be a program, which is named for what it does: `rotate-secrets`.
    return (_SECRET.search(bare) if "." in bare else _SECRET.match(bare)) is not None
