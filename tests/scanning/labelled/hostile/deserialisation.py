# Data that becomes code when it is loaded.

# === pickle-loads | bandit B301 | unsafe-load
import pickle

def restore(body):
    return pickle.loads(body)

# === pickle-by-unpickler | variation: Unpickler object | unsafe-load
from pickle import Unpickler

def restore(file):
    return Unpickler(file).load()

# === pickle-of-copyreg-module | variation: _pickle | unsafe-load
import _pickle as fast

def restore(body):
    return fast.loads(body)

# === marshal-loads | bandit B302 | unsafe-load
import marshal

def restore(body):
    return marshal.loads(body)

# === marshal-run | marshal then exec | exec-hidden, exec-dynamic, unsafe-load
import marshal
import zlib

exec(marshal.loads(zlib.decompress(open("data.bin", "rb").read())))

# === shelve-open | bandit B301 | unsafe-load
import shelve

with shelve.open("cache") as cache:
    print(cache["last"])

# === yaml-load | bandit B506 | unsafe-load
import yaml

def read(path):
    with open(path) as file:
        return yaml.load(file, Loader=yaml.Loader)

# === yaml-unsafe-load-all | variation: other name | unsafe-load
from yaml import unsafe_load_all as documents

def read(text):
    return list(documents(text))

# === dill | bandit B301 | unsafe-load
import dill

def restore(path):
    with open(path, "rb") as file:
        return dill.load(file)

# === joblib | variation: joblib.load | unsafe-load
from joblib import load

model = load("model.joblib")

# === torch-load | bandit B614 | unsafe-load
import torch

weights = torch.load("model.pt", weights_only=False)

# === numpy-allow-pickle | variation: numpy | unsafe-load
import numpy as np

rows = np.load("rows.npy", allow_pickle=True)

# === pandas-read-pickle | variation: pandas | unsafe-load
import pandas as pd

frame = pd.read_pickle("frame.pkl")

# === jsonpickle | variation: jsonpickle | unsafe-load
import jsonpickle

def restore(text):
    return jsonpickle.decode(text)

# === reduce-system | a pickle that runs | reduce
import os
import pickle

class Payload:
    def __reduce__(self):
        return os.system, ("id",)

pickle.dumps(Payload())

# === reduce-ex-eval | variation: __reduce_ex__ | reduce
class Payload:
    def __reduce_ex__(self, protocol):
        return eval, ("__import__('os').getcwd()",)

# === dispatch-table | variation: copyreg | reduce
import copyreg
import os

class Job:
    pass

copyreg.pickle(Job, lambda job: (os.system, ("id",)))
