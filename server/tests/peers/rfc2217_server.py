#!/usr/bin/env python3
"""pyserial's side of RFC 2217 in front of one serial port, one client at a time.

    rfc2217_server.py PORT_OF_THIS_MACHINE

Prints `listening on PORT`, then a line of JSON for whatever a client has the port do. Format and modem lines are printed and not set:
the port may be a pseudo terminal, which has neither.
"""

import json
import socket
import sys
import threading

import serial
import serial.rfc2217


def say(**what):
    print(json.dumps(what), flush=True)


class Port(serial.Serial):
    def _update_dtr_state(self):
        say(dtr=self._dtr_state)

    def _update_rts_state(self):
        say(rts=self._rts_state)

    def _reconfigure_port(self, force_update=False):
        say(baud=self._baudrate, data=self._bytesize, parity=self._parity, stop=self._stopbits)
        if not self.is_open:
            super()._reconfigure_port(force_update)

    cts = dsr = ri = cd = property(lambda self: False)


def serve(connection, port):
    manager = serial.rfc2217.PortManager(port, connection_file(connection))

    def from_port():
        while True:
            try:
                data = port.read(port.in_waiting or 1)
                if data:
                    connection.sendall(b"".join(manager.escape(data)))
            except OSError:
                return

    reader = threading.Thread(target=from_port, daemon=True)
    reader.start()
    try:
        while data := connection.recv(1024):
            port.write(b"".join(manager.filter(data)))
    except OSError:
        pass
    connection.close()
    reader.join(2)


def connection_file(connection):
    class Out:
        def write(self, data):
            connection.sendall(data)

    return Out()


def main():
    port = Port(sys.argv[1], timeout=0.2)
    listener = socket.create_server(("127.0.0.1", 0))
    print(f"listening on {listener.getsockname()[1]}", flush=True)
    while True:
        connection, _ = listener.accept()
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        serve(connection, port)


main()
