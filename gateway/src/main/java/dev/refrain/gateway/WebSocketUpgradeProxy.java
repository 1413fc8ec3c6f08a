package dev.refrain.gateway;

import dev.refrain.api.Payload;
import dev.refrain.gateway.internal.config.UpstreamConnectionSettings;
import dev.refrain.gateway.internal.config.UpstreamEndpoint;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.ResponseOrigin;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLSocket;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.server.HttpStream;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Forwards WebSocket upgrades on a connection of their own and joins both connections after a 101. Other protocols are not forwarded: over
 * a tunnel to an HTTP/2 service, requests would bypass the gateway.
 */
final class WebSocketUpgradeProxy {

    private static final int MAX_HEADER_BYTES = 16 << 10;
    private static final int MAX_BODY_BYTES = 1 << 20;

    private final UpstreamProxy proxy;
    private final UpstreamConnectionSettings limits;

    WebSocketUpgradeProxy(UpstreamProxy proxy, UpstreamConnectionSettings limits) {
        this.proxy = proxy;
        this.limits = limits;
    }

    static boolean isUpgradeRequest(Request request) {
        return request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_1_1
                && request.getMethod().equals("GET")
                && "websocket".equalsIgnoreCase(request.getHeaders().get(HttpHeader.UPGRADE))
                && request.getHeaders().contains(HttpHeader.CONNECTION, "upgrade");
    }

    /** Status and headers of the upstream's response. */
    private record ResponseHead(int status, HttpFields headers) {}

    void handle(GatewayRuleSet rules, Request request, Response response, Callback callback) {
        Socket service;
        try {
            service = connect(rules.target());
        } catch (IOException away) {
            JettyReplyWriter.send(
                    response,
                    callback,
                    rules.problems().response(GatewayProblem.UPSTREAM_UNREACHABLE, "Nothing was sent. Retry later."));
            return;
        }
        boolean joined = false;
        try {
            service.getOutputStream().write(head(rules.target(), request));
            service.getOutputStream().flush();
            var in = new BufferedInputStream(service.getInputStream());
            var head = read(in);
            while (HttpStatus.isInterim(head.status())) {
                head = read(in);
            }
            if (head.status() == 101) {
                join(rules.target(), request, service, in);
                joined = true;
                service.setSoTimeout(0);
                response.setStatus(101);
                response.getHeaders().clear().add(head.headers());
                response.write(true, null, callback);
            } else {
                JettyReplyWriter.send(response, callback, refused(head, in));
            }
        } catch (IOException | NumberFormatException notHttp) {
            JettyReplyWriter.send(
                    response,
                    callback,
                    rules.problems()
                            .response(
                                    GatewayProblem.UPSTREAM_SILENT,
                                    "The upstream did not answer the WebSocket upgrade."));
        } finally {
            if (!joined) {
                close(service);
            }
        }
    }

    private Socket connect(UpstreamEndpoint target) throws IOException {
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(target.host(), target.port()), (int)
                    limits.connect().toMillis());
            socket.setTcpNoDelay(true);
            socket.setSoTimeout((int) target.idle().toMillis());
            return target.scheme().equals("https") ? secured(socket, target) : socket;
        } catch (IOException | RuntimeException failed) {
            close(socket);
            throw failed;
        }
    }

    private Socket secured(Socket socket, UpstreamEndpoint target) throws IOException {
        var secured = (SSLSocket) proxy.getHttpClient()
                .getSslContextFactory()
                .getSslContext()
                .getSocketFactory()
                .createSocket(socket, target.host(), target.port(), true);
        var parameters = secured.getSSLParameters();
        parameters.setEndpointIdentificationAlgorithm("HTTPS");
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    private byte[] head(UpstreamEndpoint target, Request request) {
        var head = new StringBuilder("GET ")
                .append(target.base())
                .append(RequestTarget.bytes(request))
                .append(" HTTP/1.1\r\n");
        var prepared = proxy.prepare(request).getHeaders();
        if (!prepared.contains(HttpHeader.HOST)) {
            head.append("Host: ")
                    .append(target.host())
                    .append(':')
                    .append(target.port())
                    .append("\r\n");
        }
        prepared.forEach(field -> head.append(field.getName())
                .append(": ")
                .append(field.getValue())
                .append("\r\n"));
        head.append("Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n");
        return head.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static ResponseHead read(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (!(head.length() >= 4 && head.substring(head.length() - 4).equals("\r\n\r\n"))) {
            int next = in.read();
            if (next < 0 || head.length() > MAX_HEADER_BYTES) {
                throw new EOFException("The upstream's response header ended early, or has more than 16 KB.");
            }
            head.append((char) next);
        }
        var lines = head.toString().split("\r\n", -1);
        var status = lines[0].split(" ", 3);
        if (status.length < 2 || !status[0].startsWith("HTTP/1.")) {
            throw new IOException("The upstream's response is not HTTP/1.x.");
        }
        var headers = HttpFields.build();
        for (int i = 1; i < lines.length && !lines[i].isEmpty(); i++) {
            int colon = lines[i].indexOf(':');
            if (colon < 1) {
                throw new IOException("The upstream sent a malformed header.");
            }
            headers.add(
                    lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
        }
        return new ResponseHead(Integer.parseInt(status[1]), headers);
    }

    private static void join(UpstreamEndpoint target, Request request, Socket service, InputStream fromService) {
        var endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
        var executor = request.getConnectionMetaData().getConnector().getExecutor();
        request.setAttribute(
                HttpStream.UPGRADE_CONNECTION_ATTRIBUTE,
                new WebSocketTunnel(endPoint, executor, service, fromService, target.idle()));
    }

    private static EdgeResponse refused(ResponseHead head, InputStream in) throws IOException {
        long length = Math.clamp(head.headers().getLongField(HttpHeader.CONTENT_LENGTH), 0, MAX_BODY_BYTES);
        return new EdgeResponse(
                head.status(),
                HopByHopHeaders.removeFrom(head.headers()),
                Payload.of(in.readNBytes((int) length)),
                new ResponseOrigin.PassedUnprotected());
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException closedAnyway) {
            // There is nothing left to lose.
        }
    }
}
