"""Which functions, paths and commands are dangerous: the lists that the checks look things up in."""

# ruff: noqa: E501 -- the lists and patterns read better on long lines than cut into pieces

from __future__ import annotations

import re

CODE_RUNNERS = frozenset({"eval", "exec", "compile"})
TEXT_RUNNERS = frozenset(
    {
        "cProfile.run", "cProfile.runctx", "profile.run", "profile.runctx", "pdb.run", "pdb.runeval", "bdb.Bdb.run",
        "code.compile_command", "codeop.compile_command", "timeit.timeit", "timeit.repeat", "timeit.Timer",
        "pandas.eval", "numexpr.evaluate",
    }
)  # fmt: skip
TEXTS_RUN = CODE_RUNNERS | TEXT_RUNNERS
"""Whose first argument is code: where it is told, it is looked at as well."""

INTERPRETERS = frozenset(
    {
        "types.FunctionType", "types.CodeType", "types.LambdaType", "code.InteractiveInterpreter", "code.InteractiveConsole",
        "code.interact", "_testcapi.run_in_subinterp", "_xxsubinterpreters.run_string",
    }
)  # fmt: skip
IMPORTERS = frozenset(
    {
        "__import__", "importlib.import_module", "imp.load_module", "runpy.run_path", "runpy.run_module",
        "pkgutil.resolve_name", "pydoc.locate", "pydoc.importfile", "zipimport.zipimporter",
    }
)  # fmt: skip
# Their second argument is the file; the name that comes first is of no matter.
FILE_IMPORTERS = frozenset(
    {
        "importlib.util.spec_from_file_location", "importlib.machinery.SourceFileLoader",
        "importlib.machinery.SourcelessFileLoader", "importlib.machinery.ExtensionFileLoader", "imp.load_source",
        "imp.load_compiled", "imp.load_dynamic",
    }
)  # fmt: skip
IMPORT_PATHS = frozenset(
    {"sys.path.insert", "sys.path.append", "sys.path.extend", "site.addsitedir", "site.addpackage"}
)
DECODERS = (
    "base64.", "binascii.", "zlib.", "bz2.", "lzma.", "gzip.decompress", "codecs.decode", "bytes.fromhex", "marshal.",
)  # fmt: skip

UNPACKERS = frozenset({"base64.b64decode", "zlib.decompress", "bytes.fromhex", "binascii.unhexlify"})

SHELLS = frozenset(
    {
        "os.system", "os.popen", "subprocess.getoutput", "subprocess.getstatusoutput", "asyncio.create_subprocess_shell",
        "commands.getoutput", "popen2.popen2",
    }
)  # fmt: skip
STARTERS = frozenset(
    {
        "subprocess.run", "subprocess.call", "subprocess.check_call", "subprocess.check_output", "subprocess.Popen",
        "asyncio.create_subprocess_exec", "os.startfile", "_posixsubprocess.fork_exec",
        "multiprocessing.util.spawnv_passfds",
        "pexpect.spawn", "pexpect.run", "distutils.spawn.spawn", "ptyprocess.PtyProcess.spawn", "invoke.run", "os.posix_spawn", "os.posix_spawnp", "pty.spawn",
        *(f"os.exec{kind}" for kind in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
        *(f"os.spawn{kind}" for kind in ("l", "le", "lp", "lpe", "v", "ve", "vp", "vpe")),
    }
)  # fmt: skip
# Whose methods they are, and the rule for one of something that is not known.
TELLING_METHODS = (
    ("os", frozenset({"system", "popen"}), "shell"),
    (
        "os",
        frozenset({"execv", "execve", "execvp", "execvpe", "posix_spawn", "fork", "forkpty", "spawnv", "spawnve"}),
        "process",
    ),
    ("subprocess", frozenset({"getoutput", "getstatusoutput"}), "shell"),
    ("subprocess", frozenset({"Popen", "check_output", "check_call"}), "process"),
    ("psutil", frozenset({"kill", "terminate", "suspend", "send_signal"}), "signal-others"),
)
PRIVILEGES = frozenset(
    {
        "os.setuid",
        "os.seteuid",
        "os.setreuid",
        "os.setresuid",
        "os.setgid",
        "os.setegid",
        "os.setgroups",
        "os.chroot",
        "os.unshare",
        "os.setns",
    }
)
WAITING = frozenset(
    {
        "accept", "get", "recv", "sleep", "wait", "join", "acquire", "input", "readline", "read", "poll", "select", "result",
        "communicate", "get_request", "handle_request", "run", "check_call", "check_output", "call", "pause", "next",
    }
)  # fmt: skip
FORKS = frozenset({"os.fork", "os.forkpty", "pty.fork"})
SIGNALLERS = frozenset({"os.kill", "os.killpg", "signal.pidfd_send_signal"})
HARD_EXITS = frozenset({"os._exit", "os.abort", "faulthandler._sigsegv", "faulthandler._sigabrt"})
EXITS = frozenset({"sys.exit", "exit", "quit", "SystemExit"})
PROCESS_MODULES = frozenset({"os", "subprocess", "pty", "shutil", "builtins", "sys", "ctypes", "socket", "importlib"})

NETWORK = (
    "socket.socket", "socket.create_connection", "socket.create_server", "ssl.wrap_socket",
    "urllib.request.urlopen", "urllib.request.urlretrieve", "urllib.request.build_opener", "urllib.urlopen", "urllib2.urlopen",
    "urllib.request.URLopener", "urllib.request.FancyURLopener", "urllib.request.OpenerDirector", "urllib.request.install_opener",
    "socket.create_server", "socket.fromfd", "socket.gethostbyname", "socket.gethostbyname_ex", "socket.gethostbyaddr",
    "socket.getaddrinfo", "ssl.get_server_certificate", "http.client.HTTPConnection", "http.client.HTTPSConnection", "http.server.HTTPServer", "http.server.ThreadingHTTPServer",
    "socketserver.TCPServer", "socketserver.UDPServer", "socketserver.ThreadingTCPServer", "socketserver.ThreadingUDPServer",
    "wsgiref.simple_server.make_server", "wsgiref.simple_server.WSGIServer", "xmlrpc.client.ServerProxy", "xmlrpc.client.Server",
    "xmlrpc.server.", "multiprocessing.connection.Listener", "multiprocessing.connection.Client",
    "multiprocessing.managers.BaseManager", "logging.handlers.SocketHandler", "logging.handlers.DatagramHandler",
    "logging.handlers.HTTPHandler", "logging.handlers.SMTPHandler", "logging.config.listen",
    "ftplib.FTP", "ftplib.FTP_TLS", "smtplib.SMTP", "smtplib.SMTP_SSL", "smtplib.LMTP", "poplib.POP3", "poplib.POP3_SSL",
    "imaplib.IMAP4", "imaplib.IMAP4_SSL", "telnetlib.Telnet", "nntplib.NNTP",
    "asyncio.open_connection", "asyncio.start_server", "webbrowser.open", "webbrowser.open_new", "webbrowser.open_new_tab", "webbrowser.get",
    "aiohttp.web.run_app", "zmq.Context", "grpc.insecure_channel", "grpc.secure_channel", "redis.Redis", "redis.StrictRedis",
    "redis.from_url", "psycopg.connect", "psycopg2.connect", "pymysql.connect", "mysql.connector.connect", "pymongo.MongoClient",
    "boto3.client", "boto3.resource", "boto3.Session", "paho.mqtt.client.Client", "pika.BlockingConnection",
    "requests.get", "requests.post", "requests.put", "requests.delete", "requests.patch", "requests.head",
    "requests.request", "requests.Session", "requests.session", "requests.options",
    "httpx.", "aiohttp.ClientSession", "aiohttp.request", "urllib3.PoolManager", "urllib3.request",
    "paramiko.SSHClient", "paramiko.Transport", "websockets.connect", "websocket.create_connection", "pycurl.Curl",
)  # fmt: skip
# Methods by which an event loop opens connections; of other objects nothing is called so.
NETWORK_METHODS = frozenset({"create_connection", "create_server", "create_datagram_endpoint", "sock_connect"})
URL = re.compile(r"^(?:https?|ftps?|s3|gs|wss?)://")
NETWORK_SENDERS = frozenset(
    {"send", "sendall", "sendto", "post", "put", "request", "urlopen", "sendmail", "send_message"}
)

DELETERS = frozenset({"os.remove", "os.unlink", "os.rmdir", "os.removedirs"})
TREE_DELETERS = frozenset({"shutil.rmtree", "distutils.dir_util.remove_tree", "send2trash.send2trash"})
WRITERS = {
    "shutil.copy": 1, "shutil.copy2": 1, "shutil.copyfile": 1, "shutil.copytree": 1, "shutil.move": 1, "os.rename": 1,
    "os.replace": 1, "os.link": 1, "os.symlink": 1, "os.mkdir": 0, "os.makedirs": 0, "os.chmod": 0, "os.chown": 0,
    "os.truncate": 0, "os.mknod": 0, "os.mkfifo": 0, "shutil.unpack_archive": 1, "shutil.make_archive": 0, "os.utime": 0,
    "shutil.chown": 0, "os.lchown": 0, "os.setxattr": 0,
}  # fmt: skip
OPENERS = frozenset(
    {
        "open", "os.open", "gzip.open", "bz2.open", "lzma.open", "tarfile.open", "zipfile.ZipFile", "sqlite3.connect", "dbm.open", "io.FileIO", "fileinput.input", "fileinput.FileInput",
        "logging.FileHandler", "logging.handlers.RotatingFileHandler", "logging.handlers.TimedRotatingFileHandler",
    }
)  # fmt: skip
ALWAYS_WRITE = frozenset({name for name in OPENERS if name.startswith(("sqlite3.", "logging."))})
# Variables that decide what is loaded or run by every program that is started with them.
ENVIRONMENT_HOOKS = frozenset(
    {
        "LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "DYLD_INSERT_LIBRARIES", "PYTHONSTARTUP", "PYTHONPATH", "PYTHONHOME", "PYTHONINSPECT",
        "PYTHONBREAKPOINT", "PYTHONWARNINGS", "BASH_ENV", "ENV", "PROMPT_COMMAND", "GIT_SSH_COMMAND", "GIT_EXTERNAL_DIFF", "NODE_OPTIONS",
        "PERL5OPT", "PYTEST_ADDOPTS", "PYTEST_PLUGINS",
    }
)  # fmt: skip
PATH_WRITES = frozenset(
    {"write_text", "write_bytes", "touch", "mkdir", "symlink_to", "hardlink_to", "chmod", "rename", "replace"}
)
PATH_DELETES = frozenset({"unlink", "rmdir"})
PATH_READS = frozenset({"read_text", "read_bytes", "open", "iterdir", "glob", "rglob"})

UNSAFE_LOADS = frozenset(
    {
        "pickle.load", "pickle.loads", "pickle.Unpickler", "marshal.load", "marshal.loads", "shelve.open", "dill.load", "dill.loads",
        "cloudpickle.load", "cloudpickle.loads", "joblib.load", "jsonpickle.decode", "yaml.unsafe_load", "yaml.unsafe_load_all",
        "yaml.full_load", "yaml.full_load_all", "yaml.Loader", "yaml.UnsafeLoader", "yaml.FullLoader", "yaml.CLoader",
        "pickle._loads", "pickle._Unpickler", "jsonpickle.loads", "dill.Unpickler", "torch.hub.load", "sklearn.externals.joblib.load",
        "mlflow.pyfunc.load_model", "pandas.read_pickle", "torch.load", "numpy.load",
    }
)  # fmt: skip

NATIVE = (
    "ctypes.",
    "_ctypes.",
    "cffi.FFI",
    "gc.get_objects",
    "gc.get_referrers",
    "gc.get_referents",
    "_testcapi.",
    "numpy.ctypeslib.",
)
# Where the interpreter looks when something is imported: whoever changes them decides what an import brings.
IMPORT_HOOKS = frozenset({"sys.meta_path", "sys.path_hooks", "sys.path_importer_cache"})
LIST_CHANGES = frozenset(
    {"append", "insert", "extend", "remove", "pop", "clear", "update", "setdefault", "__setitem__", "__delitem__"}
)
HOOKS = frozenset(
    {
        "sys.settrace", "sys.setprofile", "threading.settrace", "threading.setprofile", "sys.addaudithook",
        "threading.settrace_all_threads", "threading.setprofile_all_threads", "codecs.register", "gc.callbacks.append",
        "atexit._clear", "atexit._run_exitfuncs", "atexit.unregister", "sys.set_asyncgen_hooks", "sys.set_coroutine_origin_tracking_depth", "sys.remote_exec", "bdb.Bdb",
    }
)  # fmt: skip
FRAMES = frozenset({"sys._getframe", "inspect.currentframe", "inspect.stack", "sys._current_frames"})
CLIMBS = frozenset({"f_back", "_getframe", "currentframe", "stack", "walk_stack", "_current_frames"})

# Attributes that lead from any object to all classes, globals and code.
ESCAPES = frozenset({"__base__", "__bases__", "__mro__", "__class__", "__subclasses__"})
INNER = frozenset(
    {
        "__globals__",
        "__builtins__",
        "__code__",
        "__closure__",
        "f_globals",
        "f_builtins",
        "f_locals",
        "gi_frame",
        "cr_frame",
        "tb_frame",
    }
)

# What is reached by these names is never reached in a text by accident: they are looked up by it.
LOOKED_UP = frozenset(
    {
        "__subclasses__",
        "__globals__",
        "__builtins__",
        "__base__",
        "__bases__",
        "__mro__",
        "__code__",
        "f_globals",
        "f_builtins",
    }
)
DANGEROUS_METHODS = frozenset(
    {"system", "popen", "fork", "rmtree", "execv", "execve", "execvp", "spawnl", "spawnv", "_exit", "kill"}
)
LOOKING_METHODS = frozenset(
    {
        "exists", "is_file", "is_dir", "stat", "print", "info", "debug", "warning", "error", "expanduser", "resolve", "joinpath",
        "with_name", "Path", "str", "add_argument", "startswith", "endswith", "match", "search", "compile", "append", "add_option",
    }
)  # fmt: skip
CREDENTIAL_CALLS = frozenset(
    {
        "netrc.netrc",
        "keyring.get_password",
        "keyring.get_credential",
        "win32crypt.CryptUnprotectData",
        "browser_cookie3.load",
    }
)

_HOME = r"(?:~|\$HOME|\$\{HOME\}|/root|/home/[^/]+|/Users/[^/]+)"
PRIVATE = re.compile(
    rf"(?:{_HOME}/|^|/)(?:\.ssh(?:/(?!known_hosts|config$)|$)|\.gnupg(?:/|$)|id_(?:rsa|dsa|ecdsa|ed25519)$)|^/etc/(?:shadow|gshadow|sudoers)"
    r"|/proc/[^/]+/(?:environ|mem)|Login Data$|logins\.json$|wallet\.dat$|key[34]\.db$"
)
CREDENTIALS = re.compile(
    r"(?:^|/)(?:\.env(?:\.(?!example|sample|template)\w+)?|\.netrc|_netrc|\.pypirc|\.npmrc|\.git-credentials|\.pgpass|\.my\.cnf|\.vault-token"
    r"|\.aws(?:/credentials|/config)?|\.kube/config|\.docker/config\.json|\.config/(?:gcloud|gh)(?:/.*)?|\.azure(?:/.*)?"
    r"|\.bash_history|\.zsh_history|credentials\.json)$|^/etc/passwd$|^/run/secrets|^/var/run/secrets"
)
STARTED_FROM = re.compile(
    rf"{_HOME}/\.(?:ssh|bashrc|bash_profile|bash_login|profile|zshrc|zprofile|zshenv|bash_logout|bash_aliases|login|xprofile|xinitrc|xsession|inputrc|vimrc|tmux\.conf|gitconfig|config/(?:autostart|systemd|fish|git|pip)|pip/|pam_environment|kshrc|tcshrc|cshrc"
    r"|local/bin)|^/(?:etc|usr|bin|sbin|lib|lib64|boot|proc|sys|opt)(?:/|$)|^/dev/(?:sd|nvme|hd|vd|mem|kmem)|^/var/spool/cron|LaunchAgents|LaunchDaemons"
    r"|(?:^|/)\.git/(?:hooks|config)|sitecustomize\.py$|usercustomize\.py$|\.pth$|site-packages"
)
ROOTS = re.compile(
    rf"^(?:/|{_HOME}|/\*|\.|\.\.(?:/\.\.)*|/(?:home|Users|opt|root)|/(?:etc|usr|var|bin|sbin|lib|lib64|boot|dev|proc|sys)(?:/.*)?|[A-Za-z]:[\\/]?)/?\*?$"
)
SAFE_OUTSIDE = re.compile(r"^/(?:tmp|var/tmp|dev/(?:null|stdout|stderr|stdin|tty|shm))(?:/|$)")

DESTRUCTIVE = re.compile(
    r"\brm\s+(?:-\w+\s+|--[\w-]+\s+)*-?\w*\s*(?:/|~|\$HOME|\.)(?:\s|$|\*|/\s|/\*|/?$)"
    r"|\brm\s+(?:-\w+\s+|--[\w-]+\s+)*(?:/(?:etc|usr|var|home|root|bin|lib|boot|opt)\b|--no-preserve-root)"
    r"|\bmkfs(?:\.\w+)?\s|\bdd\b.*\bof=/dev/(?!null)|>\s*/dev/(?:sd|nvme|hd|vd)|:\s*\(\s*\)\s*\{.*\|.*&"
    r"|(?:curl|wget|fetch)\b[^|;&\n]*\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|(?:curl|wget)\b[^|\n]*\|\s*(?:sudo\s+)?python"
    r"|/dev/(?:tcp|udp)/|\bn(?:c|cat|etcat)\b.*\s-\w*[ec]\b|\bchmod\s+(?:-\w+\s+)*777\s+/(?:\s|$)"
    r"|\b(?:shutdown|reboot|halt|poweroff)\b\s*(?:-|now|$)|\bcrontab\s+-(?!l)|\buserdel\b|\biptables\s+-F|\bkillall\b|\bkill\s+-9\s+-1\b"
    r"|\bhistory\s+-c\b|\bgit\s+push\s+.*--force|authorized_keys|base64\s+(?:-d|--decode)[^|\n]*\|\s*(?:ba)?sh",
    re.IGNORECASE,
)
SHELL_PROGRAMS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "cmd", "cmd.exe", "powershell", "pwsh"})
INSTALLERS = frozenset(
    {
        "pip",
        "pip3",
        "uv",
        "pipx",
        "conda",
        "mamba",
        "apt",
        "apt-get",
        "dnf",
        "yum",
        "apk",
        "brew",
        "npm",
        "npx",
        "gem",
        "cargo",
    }
)
# They start what stands behind them.
WRAPPERS = frozenset({"env", "nohup", "nice", "timeout", "xargs", "stdbuf", "setsid", "time", "doas"})
TEXT_PROGRAMS = frozenset({"perl", "ruby", "node", "php", "lua", "osascript", "deno", "bun"})
CHANGING_PROGRAMS = frozenset(
    {
        "rm",
        "shred",
        "mv",
        "cp",
        "ln",
        "tee",
        "dd",
        "chmod",
        "chown",
        "chgrp",
        "chattr",
        "truncate",
        "rmdir",
        "install",
        "tar",
        "unzip",
    }
)
REACHING_GIT = frozenset({"clone", "fetch", "pull", "push", "remote", "ls-remote", "submodule"})
REACHING_PROGRAMS = frozenset(
    {
        "curl",
        "wget",
        "nc",
        "ncat",
        "netcat",
        "ssh",
        "scp",
        "rsync",
        "sudo",
        "su",
        "telnet",
        "ftp",
        "socat",
        "crontab",
        "at",
        "systemctl",
        "service",
        "launchctl",
        "schtasks",
        "reg",
        "useradd",
        "usermod",
        "passwd",
        "chsh",
        "visudo",
        "iptables",
        "nft",
        "mount",
        "umount",
        "modprobe",
        "insmod",
        "sysctl",
        "docker",
        "podman",
        "kubectl",
        "chroot",
        "unshare",
        "nsenter",
        "ssh-keygen",
        "ssh-copy-id",
        "gpg",
        "aws",
        "gcloud",
        "az",
        "gh",
        "kill",
        "pkill",
        "killall",
        "nmap",
        "tcpdump",
        "dig",
        "nslookup",
        "ping",
        "mail",
        "sendmail",
        "xdg-open",
        "open",
        "security",
        "strace",
        "gdb",
    }
)

SECRETS = re.compile(
    r"\bAKIA[0-9A-Z]{16}\b|-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_\w{40,}"
    r"|\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}\b|\bxox[abprs]-[A-Za-z0-9-]{10,}|\bAIza[0-9A-Za-z_-]{35}\b|\bglpat-[A-Za-z0-9_-]{20,}"
    r"|\bhf_[A-Za-z0-9]{30,}\b|\bnpm_[A-Za-z0-9]{36}\b|\bpypi-[A-Za-z0-9_-]{50,}|\bsk_live_[A-Za-z0-9]{20,}"
)
SECRETS_IN_CODE = re.compile(
    r"\b(?:ASIA|ABIA|ACCA)[0-9A-Z]{16}\b|\brk_live_[A-Za-z0-9]{20,}|\bSG\.[\w-]{16,}\.[\w-]{16,}|\bya29\.[\w-]{20,}|\b\d{8,10}:AA[\w-]{32,}"
    r"|https://hooks\.slack\.com/services/\w+/\w+/\w{20,}|\bdop_v1_[0-9a-f]{60,}|\bAccountKey=[A-Za-z0-9+/=]{40,}"
    r"|\beyJ[\w-]{15,}\.eyJ[\w-]{15,}\.[\w-]{20,}"
)
"""More forms of keys, with those of `SECRETS`."""
URL_WITH_PASSWORD = re.compile(
    r"\b[a-z][a-z0-9+.-]{1,20}://([^\s:/@'\"]{1,60}):([^\s:/@'\"]{6,100})@([\w.-]{1,100})", re.IGNORECASE
)
OWN_MACHINE = re.compile(r"^(?:localhost|127\.|0\.0\.0\.0|host\b|db$|postgres$|redis$|mysql$)", re.IGNORECASE)
PASSWORD_NAME = re.compile(
    r"(?:^|_)(?:password|passwd|pwd|secret|secret_key|api_?key|auth_?token|access_?token|private_?key)$", re.IGNORECASE
)
PLACEHOLDER = re.compile(
    r"^(?:|x+|\*+|<.*>|\{.*\}|\$.*|your.*|change.?me.*|example.*|test.*|dummy.*|password|secret|none|todo|foo|bar)$",
    re.IGNORECASE,
)

BIDI = re.compile("[\u202a-\u202e\u2066-\u2069]")
USUAL_ENCODINGS = frozenset(
    {"utf-8", "utf-8-sig", "ascii", "iso-8859-1", "latin-1", "iso-8859-15", "cp1252", "us-ascii"}
)

TEST_HOOKS = re.compile(
    r"^pytest_(?:runtest|collection|sessionfinish|report|assert|exception|pyfunc|collect|ignore|generate|itemcollected|deselected|terminal|unconfigure)"
)
TEST_FRAMEWORKS = ("pytest.", "_pytest.", "unittest.", "doctest.")
SKIPS = frozenset(
    {
        "pytest.skip",
        "pytest.xfail",
        "pytest.exit",
        "unittest.SkipTest",
        "pytest.skip.Exception",
        "_pytest.outcomes.skip",
    }
)
SKIP_MARKS = frozenset(
    {
        "pytest.mark.skip",
        "pytest.mark.skipif",
        "pytest.mark.xfail",
        "unittest.skip",
        "unittest.skipIf",
        "unittest.skipUnless",
        "unittest.expectedFailure",
    }
)
RUNS_ELSEWHERE = re.compile(
    r"(?:^|/)(?:\.github/(?:workflows|actions)/|\.gitlab-ci\.yml$|\.circleci/|\.pre-commit-config\.yaml$|\.husky/|Jenkinsfile$|azure-pipelines\.yml$"
    r"|\.gitmodules$|\.gitattributes$|\.gitconfig$|\.envrc$|\.vscode/(?:tasks|launch|settings)\.json$|\.devcontainer/|noxfile\.py$|setup\.py$)"
)
STARTS_WITH_PYTHON = re.compile(r"(?:^|/)(?:sitecustomize\.py|usercustomize\.py|[^/]*\.pth)$")
TEST_CONFIG = re.compile(
    r"(?:^|/)(?:conftest\.py|pytest\.ini|\.pytest\.ini|pytest\.toml|\.pytest\.toml|tox\.ini|setup\.cfg)$"
)
TEST_FILE = re.compile(r"(?:^|/)(?:test_[^/]*|[^/]*_test|tests)\.py$|(?:^|/)tests?/.*\.py$|(?:^|/)conftest\.py$")
