# Code that is made at run time, and modules whose names are computed.

# === eval-of-input | CWE-95 | exec-dynamic
def calculate():
    return eval(input("expression: "))

# === exec-of-file | bandit B102 | exec-dynamic
def run(path):
    with open(path) as file:
        exec(file.read(), {})

# === eval-by-alias-in-a-dict | variation: kept in a table | exec-dynamic
operations = {"run": eval, "show": print}

def apply(name, text):
    return operations[name](text)

# === eval-as-map-argument | variation: passed as a value | exec-dynamic
import sys
results = list(map(eval, sys.argv[1:]))

# === exec-as-default-argument | variation: default | exec-dynamic
def apply(text, runner=exec):
    runner(text)

# === eval-by-walrus | variation: walrus | exec-dynamic
def answer(text):
    if (run := eval) is not None:
        return run(text)

# === eval-by-builtins-module | variation: builtins | exec-dynamic, builtins-changed
import builtins

def answer(text):
    return getattr(builtins, "eval")(text)

# === eval-by-dunder-builtins | variation: __builtins__ | exec-dynamic, globals, escape
def answer(text):
    table = __builtins__ if isinstance(__builtins__, dict) else vars(__builtins__)
    return table["eval"](text)

# === eval-by-globals | variation: globals() | exec-dynamic, globals, escape
def answer(text):
    return globals()["__builtins__"]["exec"](text)

# === compile-then-function | variation: types.FunctionType | exec-dynamic, globals
import types

def build(text):
    code = compile(text, "<rule>", "exec")
    return types.FunctionType(code, {})

# === eval-as-decorator | variation: decorator | exec-dynamic
def text_of(function):
    return function.__doc__

@exec
@text_of
def setup():
    """import shutil; shutil.rmtree('build')"""

# === exec-by-match | variation: match statement | exec-dynamic
def handle(message):
    match message:
        case {"kind": "code", "text": text}:
            exec(text)
        case _:
            return None

# === exec-by-partial | variation: functools.partial | exec-dynamic
from functools import partial

runner = partial(exec, __globals={}) if False else partial(exec)

def handle(text):
    runner(text)

# === interactive-interpreter | variation: code.InteractiveInterpreter | exec-dynamic
import code

def handle(source):
    code.InteractiveInterpreter().runsource(source, "<remote>", "exec")

# === runpy-of-data | variation: runpy | exec-dynamic, import-dynamic
import runpy

def load(plugin):
    return runpy.run_path(plugin)

# === timeit-as-eval | variation: timeit runs text | exec-dynamic
import timeit

def measure(statement):
    return timeit.timeit(statement, number=1)

# === import-of-argument | CWE-470 | import-dynamic
import sys

plugin = __import__(sys.argv[1])

# === importlib-in-a-comprehension | variation: comprehension | import-dynamic
from importlib import import_module as load

def plugins(names):
    return [load(name) for name in names]

# === spec-from-file | variation: importlib.util | import-dynamic, exec-dynamic
import importlib.util

def load(path):
    spec = importlib.util.spec_from_file_location("plugin", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

# === os-by-import-string-pieces | variation: built names | name-built, import-dynamic
m = __import__("o" + "s")
getattr(m, "sys" + "tem")("id")

# === path-appended-from-data | variation: sys.path | import-path, import-dynamic, hooks
import sys
import tempfile

def load(payload):
    folder = tempfile.mkdtemp()
    with open(folder + "/extra.py", "w") as file:
        file.write(payload)
    sys.path.insert(0, folder)
    import extra
    return extra
