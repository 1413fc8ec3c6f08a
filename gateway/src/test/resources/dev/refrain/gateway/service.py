"""A service on Python's own HTTP server. What it answers is asked of another one, whose port is the argument."""
import http.client
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BEHIND = int(sys.argv[1])
OF_ONE_CONNECTION = ("connection", "keep-alive", "transfer-encoding", "content-length", "date", "server")


class Service(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        body = self.read_body()
        asked = http.client.HTTPConnection("127.0.0.1", BEHIND)
        asked.putrequest(self.command, self.path, skip_host=True, skip_accept_encoding=True)
        for name, value in self.headers.items():
            if name.lower() not in OF_ONE_CONNECTION:
                asked.putheader(name, value)
        asked.putheader("Content-Length", str(len(body)))
        asked.endheaders(body)
        answer = asked.getresponse()
        content = answer.read()
        self.send_response_only(answer.status)
        for name, value in answer.getheaders():
            if name.lower() not in OF_ONE_CONNECTION:
                self.send_header(name, value)
        if answer.status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        asked.close()

    def read_body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            body += self.rfile.read(size)
            self.rfile.readline()
        while self.rfile.readline().strip():
            pass
        return body

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = handle_any

    def log_message(self, *arguments):
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128


server = Server(("127.0.0.1", 0), Service)
print("port", server.server_port, flush=True)
server.serve_forever()
