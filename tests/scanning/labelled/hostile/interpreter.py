# Hooks, native code, finalizers and the program's end.

# === builtins-open-replaced | builtins | builtins-changed
import builtins

original = builtins.open

def opened(*arguments, **options):
    print(arguments)
    return original(*arguments, **options)

builtins.open = opened

# === builtins-setattr | variation: setattr | builtins-changed
import builtins

setattr(builtins, "print", lambda *arguments, **options: None)

# === builtins-dict-update | variation: __dict__ | builtins-changed, globals, escape
import builtins

vars(builtins).update(isinstance=lambda *arguments: True)

# === sys-modules-replaced | module put in place of another | builtins-changed, hooks
import sys
import types

fake = types.ModuleType("ssl")
sys.modules["ssl"] = fake

# === modules-setitem | variation: __setitem__ and update | builtins-changed, hooks
import sys

sys.modules.update({"hashlib": sys.modules[__name__]})

# === meta-path | import hook | hooks
import sys

class Finder:
    def find_spec(self, name, path, target=None):
        print(name)

sys.meta_path.insert(0, Finder())

# === path-hooks | variation: path_hooks | hooks
from sys import path_hooks

path_hooks.append(lambda entry: None)

# === settrace | tracing | hooks
import sys

def trace(frame, event, argument):
    frame.f_locals["allowed"] = True
    return trace

sys.settrace(trace)

# === setprofile-threads | variation: threading | hooks
import threading

threading.setprofile(lambda frame, event, argument: print(frame.f_locals))

# === monitoring | variation: sys.monitoring | hooks
import sys

sys.monitoring.use_tool_id(2, "watch")
sys.monitoring.set_events(2, sys.monitoring.events.CALL)

# === audit-hook-added | audit | hooks
import sys

def watch(event, arguments):
    if event == "open":
        print(arguments)

sys.addaudithook(watch)

# === audit-hook-removed | audit hooks cleared in memory | native
import ctypes

runtime = ctypes.pythonapi
head = ctypes.c_void_p.in_dll(runtime, "_PyRuntime")
head.value = None

# === ctypes-cdll | ctypes | native
from ctypes import CDLL

libc = CDLL(None)
libc.system(b"id")

# === ctypes-memory | variation: id and cast | native
import ctypes as c

def change(number, other):
    c.memmove(id(number), id(other), 24)

# === cffi | variation: cffi | native
from cffi import FFI

ffi = FFI()
ffi.cdef("int system(const char *);")
ffi.dlopen(None).system(b"id")

# === mmap-executable | variation: mmap | native
import mmap

area = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)

# === dev-mem | variation: /proc/self/mem | native, write-outside, persistence
with open("/proc/self/mem", "r+b") as memory:
    memory.seek(0x400000)
    memory.write(b"\xcc")

# === del-loop | __del__ that never returns | finalizer-bomb
class Holder:
    def __del__(self):
        while True:
            pass

# === del-unlink | acts when collected | finalizer
import os

class Holder:
    def __init__(self, path):
        self.path = path

    def __del__(self):
        os.unlink(self.path)

# === atexit-exit | atexit that ends the process | finalizer-bomb, exit-hard
import atexit
import os

@atexit.register
def finish():
    os._exit(0)

# === weakref-finalize | variation: weakref.finalize | finalizer, shell
import os
import weakref

class Holder:
    pass

holder = Holder()
weakref.finalize(holder, os.system, "make clean")

# === del-assigned | variation: __del__ by assignment | finalizer-bomb, finalizer
import itertools

class Holder:
    __del__ = lambda self: sum(1 for _ in itertools.count())

# === abort | hard end | exit-hard
import os
os.abort()

# === signal-self | variation: raise_signal | exit-hard
import signal
signal.raise_signal(signal.SIGKILL)

# === exit-at-import | ends what imports it | exit-on-import
raise SystemExit(0)

# === excepthook-quiet | variation: sys.excepthook | hooks, builtins-changed
import sys
sys.excepthook = lambda *arguments: None

# === recursion-crash | variation: ends by crashing | native, exit-hard, hooks
import faulthandler
faulthandler._sigsegv()
