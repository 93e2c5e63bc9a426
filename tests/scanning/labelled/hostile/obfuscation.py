# Code that hides what it says.

# === base64-exec | encoded | exec-hidden
import base64
exec(base64.b64decode("cHJpbnQoJ2hpJyk="))

# === hex-exec | variation: bytes.fromhex | exec-hidden
exec(bytes.fromhex("7072696e7428276869272 9".replace(" ", "")).decode())

# === rot13 | variation: codecs | exec-hidden
import codecs
eval(codecs.decode("cevag('uv')", "rot13"))

# === zlib-lambda | variation: lambda wrapper | exec-hidden
unpack = lambda data: __import__("zlib").decompress(data)
exec(unpack(open("x.bin", "rb").read()))

# === chr-join | character codes | text-assembled, exec-hidden
exec("".join(chr(code) for code in [112, 114, 105, 110, 116, 40, 49, 41]))

# === chr-map | variation: map(chr) | text-assembled, exec-hidden, name-built
name = "".join(map(chr, (111, 115)))
module = __import__(name)

# === bytes-of-numbers | variation: bytes([...]) | text-assembled, exec-hidden, name-built, getattr-module
import os
getattr(os, bytes([115, 121, 115, 116, 101, 109]).decode())("id")

# === reversed-name | variation: reversed | name-built, getattr-module
import os
getattr(os, "metsys"[::-1])("id")

# === replaced-name | variation: str.replace | name-built, getattr-module
import subprocess
run = getattr(subprocess, "ch-eck_ou-tput".replace("-", ""))
run(["id"])

# === joined-name | variation: join | name-built, import-dynamic
socket = __import__("".join(["so", "ck", "et"]))

# === f-string-name | variation: f-string | name-built, import-dynamic, escape
part = "class"
print(getattr((), f"__{part}__"))

# === percent-name | variation: % | name-built, getattr-module
import os
print(getattr(os, "%stem" % "sys"))

# === dir-index | variation: chosen out of dir() | getattr-module, name-built
import os
print(getattr(os, [name for name in dir(os) if name.startswith("sys")][-1])("id"))

# === dict-index | variation: module's __dict__ | getattr-module, name-built, globals, shell
import os
key = "sys" + "tem"
os.__dict__[key]("id")

# === xor-strings | variation: xor | text-assembled, exec-hidden
data = [50, 48, 43, 44, 54]
exec("".join(chr(each ^ 66) for each in data))

# === int-to-bytes | variation: a number holds the text | text-assembled, exec-hidden, exec-dynamic
exec((0x7072696E74283129).to_bytes(8, "big"))

# === bidi | CVE-2021-42574 | bidi
level = "user"
if level != "none‮⁦":  # admin⁩⁦
    print("in")

# === encoding-declared | variation: another encoding | encoding
# -*- coding: utf-7 -*-
print("+AG8-")

# === unicode-identifiers | variation: NFKC names | exec-dynamic
def answer(text):
    return 𝘦𝘷𝘢𝘭(text)

# === escapes-for-names | variation: octal and hex escapes | name-built, escape, shell
import os
getattr(os, "\x73\x79\x73\x74\x65\x6d")("id")

# === far-to-the-right | variation: hidden after spaces | exec-dynamic, shell
x = 1;                                                                                                                                              import os; os.system(input())

# === class-getitem-run | variation: code in __class_getitem__ and decorators | shell, process
import os

class Run:
    def __class_getitem__(cls, command):
        return os.system(command)

Run["id"]

# === annotation-run | variation: runs in an annotation | exec-dynamic, shell
def f(x: __import__("os").system("id")) -> None:
    return None

# === ast-built | variation: an AST is compiled | exec-dynamic
import ast

tree = ast.Module(body=[ast.Expr(ast.Call(ast.Name("print", ast.Load()), [], []))], type_ignores=[])
exec(compile(ast.fix_missing_locations(tree), "x", "exec"))
