package dev.refrain.gateway;

import dev.refrain.gateway.internal.config.UpstreamConnectionSettings;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.transport.HttpClientTransportDynamic;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.http.HttpURI;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.ClientConnector;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.proxy.ProxyHandler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Connection to the upstream. Unprotected requests stream through it in both directions with back-pressure; protected ones are prepared by
 * it, so that both look the same to the upstream.
 */
final class UpstreamProxy extends ProxyHandler {

    private static final int ADDED_HEADER_BYTES = 4 << 10;

    /** Longest wait of a request for which no route says how long its answer may take. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

    private static final String BEGUN = UpstreamProxy.class.getName() + ".begun";

    /** Headers that a lookup does not repeat: they describe the body of the request, or conditions that its effect may have changed. */
    private static final List<String> NOT_IN_LOOKUPS = List.of(
            "Expect",
            "Content-Length",
            "Content-Type",
            "Content-Encoding",
            "If-Match",
            "If-None-Match",
            "If-Modified-Since",
            "If-Unmodified-Since",
            "If-Range",
            "Range",
            "Prefer");

    private final UpstreamConnectionSettings limits;
    private final int acceptedHeadBytes;
    private final GatewayTracer traces;
    private final SentByteTracker sentBytes = new SentByteTracker();
    private final UpstreamConnectionQueue queue;

    /** @param acceptedHeadBytes the largest head of a request that clients may send */
    UpstreamProxy(UpstreamConnectionSettings limits, int acceptedHeadBytes, GatewayTracer traces) {
        this.limits = limits;
        this.acceptedHeadBytes = acceptedHeadBytes;
        this.traces = traces;
        this.queue = new UpstreamConnectionQueue(limits.connections(), limits.queued(), System::nanoTime);
        setViaHost("refrain");
    }

    /** Connector whose sockets end the process if there is no direct memory for them. */
    private static final class GuardedConnector extends ClientConnector {

        @Override
        protected EndPoint newEndPoint(SelectableChannel channel, ManagedSelector selector, SelectionKey key) {
            return new ExitOnOutOfDirectMemory.GuardedSocket((SocketChannel) channel, selector, key, getScheduler());
        }
    }

    @Override
    protected HttpClient newHttpClient() {
        var connector = new GuardedConnector();
        connector.setByteBufferPool(getServer().getByteBufferPool());
        connector.setExecutor(getServer().getThreadPool());
        limits.tls().ifPresent(connector::setSslContextFactory);
        var client = new HttpClient(new HttpClientTransportDynamic(connector));
        client.addBean(sentBytes);
        return client;
    }

    /** Returns what was written to the connections of this proxy. */
    SentByteTracker sentBytes() {
        return sentBytes;
    }

    /** Returns the queue in which requests wait for the connections of this proxy. */
    UpstreamConnectionQueue queue() {
        return queue;
    }

    /** Passes a request on once it is its turn. Its caller is not known; the requests of an address take turns with those of a scope. */
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        UpstreamConnectionQueue.Turn turn;
        try {
            turn = queue.join("address " + Request.getRemoteAddr(request), LONGEST_WAIT);
            waitFor(turn);
        } catch (UpstreamBusyException busy) {
            busy(request, response, callback);
            return true;
        }
        try {
            return super.handle(request, response, Callback.from(callback, turn::close));
        } catch (RuntimeException | Error failed) {
            turn.close();
            throw failed;
        }
    }

    private static void waitFor(UpstreamConnectionQueue.Turn turn) throws UpstreamBusyException {
        try {
            turn.await(LONGEST_WAIT);
        } catch (UpstreamBusyException late) {
            turn.close();
            throw late;
        } catch (InterruptedException stopping) {
            turn.close();
            Thread.currentThread().interrupt();
            throw new UpstreamBusyException("The gateway is stopping.");
        }
    }

    private static void busy(Request request, Response response, Callback callback) {
        JettyReplyWriter.send(
                response,
                callback,
                GatewayRuleSet.of(request)
                        .problems()
                        .response(GatewayProblem.UPSTREAM_BUSY, "Nothing was sent. Retry later."));
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        client.setConnectTimeout(limits.connect().toMillis());
        client.setIdleTimeout(limits.keepAlive().toMillis());
        client.setMaxConnectionsPerDestination(limits.connections());
        client.setMaxRequestsQueuedPerDestination(limits.queued());
        client.setMaxResponseHeadersSize(limits.headerBytes());
        client.setMaxRequestHeadersSize(largestForwardedHead(acceptedHeadBytes));
        // Nothing is said to the service behind that the client did not say.
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
    }

    /** Returns room for what is added to a head: the host, which may be all of it, three times; and a few short headers. */
    private static int largestForwardedHead(int accepted) {
        return 4 * accepted + ADDED_HEADER_BYTES;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        InterimResponseHandler.addTo(getHttpClient());
    }

    /** Returns the client's request as it is forwarded, without its body. */
    org.eclipse.jetty.client.Request prepare(Request request) {
        var prepared = newProxyToServerRequest(request, rewriteHttpURI(request));
        copyRequestHeaders(request, prepared);
        addProxyHeaders(request, prepared);
        return prepared.headers(headers -> headers.remove(HttpHeader.EXPECT));
    }

    /** Returns a lookup request with the headers of this request's caller. */
    org.eclipse.jetty.client.Request prepareLookUp(Request request, String path) {
        var prepared = to(request, path).method("GET");
        copyRequestHeaders(request, prepared);
        addProxyHeaders(request, prepared);
        return prepared.headers(headers -> NOT_IN_LOOKUPS.forEach(headers::remove));
    }

    private org.eclipse.jetty.client.Request to(Request request, String path) {
        var target = GatewayRuleSet.of(request).target();
        return new VerbatimUpstreamRequest(getHttpClient(), target, target.base() + path);
    }

    @Override
    protected HttpURI rewriteHttpURI(Request request) {
        return request.getHttpURI();
    }

    @Override
    protected org.eclipse.jetty.client.Request newProxyToServerRequest(Request request, HttpURI uri) {
        return to(request, RequestTarget.bytes(request)).method(request.getMethod());
    }

    @Override
    protected void copyRequestHeaders(Request request, org.eclipse.jetty.client.Request prepared) {
        super.copyRequestHeaders(request, prepared);
        var rules = GatewayRuleSet.of(request);
        var forged = request.getHeaders().stream()
                .map(HttpField::getName)
                .filter(name -> rules.isForged(name, request))
                .toList();
        prepared.headers(headers -> forged.forEach(headers::remove));
        if (!rules.target().preservesHost()) {
            prepared.headers(headers -> headers.remove(HttpHeader.HOST));
        }
    }

    @Override
    protected void addProxyHeaders(Request request, org.eclipse.jetty.client.Request prepared) {
        super.addProxyHeaders(request, prepared);
        traces.propagate(request, prepared);
        append(prepared, HttpHeader.X_FORWARDED_FOR, Request.getRemoteAddr(request));
        prepared.headers(headers -> {
            headers.put(HttpHeader.X_FORWARDED_PROTO, protocol(request));
            String host = request.getHeaders().get(HttpHeader.HOST);
            if (host != null) {
                headers.put(HttpHeader.X_FORWARDED_HOST, host);
            }
        });
    }

    /** Adds this proxy after whatever the client says of the way so far, which is not parsed: it need not be well-formed. */
    @Override
    protected void addViaHeader(Request request, org.eclipse.jetty.client.Request prepared) {
        String version = request.getConnectionMetaData().getProtocol().replaceFirst("^HTTP/", "");
        append(prepared, HttpHeader.VIA, version + " " + getViaHost());
    }

    @Override
    protected void addForwardedHeader(Request request, org.eclipse.jetty.client.Request prepared) {
        String host = request.getHeaders().get(HttpHeader.HOST);
        append(
                prepared,
                HttpHeader.FORWARDED,
                "by=" + HttpField.PARAMETER_TOKENIZER.quote(Request.getLocalAddr(request))
                        + ";for=" + HttpField.PARAMETER_TOKENIZER.quote(Request.getRemoteAddr(request))
                        + (host == null ? "" : ";host=" + HttpField.PARAMETER_TOKENIZER.quote(host))
                        + ";proto=" + protocol(request));
    }

    private static void append(org.eclipse.jetty.client.Request prepared, HttpHeader header, String value) {
        prepared.headers(headers -> {
            var before = headers.getValuesList(header);
            headers.put(header, before.isEmpty() ? value : String.join(", ", before) + ", " + value);
        });
    }

    /** Returns the scheme of the connection; the one in an absolute request target is not trusted. */
    private static String protocol(Request request) {
        return request.getConnectionMetaData().isSecure() ? "https" : "http";
    }

    @Override
    protected void sendProxyToServerRequest(
            Request request, org.eclipse.jetty.client.Request prepared, Response response, Callback callback) {
        prepared.idleTimeout(GatewayRuleSet.of(request).target().idle().toMillis(), TimeUnit.MILLISECONDS)
                .onRequestBegin(sent -> sent.attribute(BEGUN, sentBytes.mark(sent.getConnection())));
        if (request.getHeaders().contains(HttpHeader.TRAILER)) {
            prepared.headers(headers ->
                            headers.put(HttpHeader.TRAILER, request.getHeaders().get(HttpHeader.TRAILER)))
                    .trailersSupplier(request::getTrailers);
        }
        if (prepared.getBody() == null && request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2) {
            GatewayRequestBody.undeclaredBody(request)
                    .ifPresent(whole -> prepared.body(newProxyToServerRequestContent(whole, response, prepared)));
        }
        super.sendProxyToServerRequest(request, prepared, response, callback);
    }

    @Override
    protected org.eclipse.jetty.client.Response.CompleteListener newServerToProxyResponseListener(
            Request request, org.eclipse.jetty.client.Request prepared, Response response, Callback callback) {
        return new ProxyResponseListener(request, prepared, response, callback) {
            @Override
            public void onBegin(org.eclipse.jetty.client.Response answer) {
                if (HttpStatus.isInformational(answer.getStatus())) {
                    // To speak another protocol, which nobody asked for here.
                    var unused = answer.abort(new AmbiguousResponseException(answer.getStatus()));
                } else {
                    super.onBegin(answer);
                }
            }

            @Override
            public void onHeaders(org.eclipse.jetty.client.Response answer) {
                super.onHeaders(answer);
                HopByHopHeaders.names(answer.getHeaders()).forEach(response.getHeaders()::remove);
                passTrailers(answer, response);
            }
        };
    }

    /** Passes trailers on, which is possible only where no content length was sent. */
    private static void passTrailers(org.eclipse.jetty.client.Response answer, Response response) {
        if (answer.getHeaders().contains(HttpHeader.TRAILER)
                && !answer.getHeaders().contains(HttpHeader.CONTENT_LENGTH)) {
            response.getHeaders().put(HttpHeader.TRAILER, answer.getHeaders().get(HttpHeader.TRAILER));
            response.setTrailersSupplier(() -> {
                var trailers = answer.getTrailers();
                return trailers == null ? HttpFields.EMPTY : trailers;
            });
        }
    }

    @Override
    protected void onServerToProxyResponseFailure(
            Request request,
            org.eclipse.jetty.client.Request prepared,
            org.eclipse.jetty.client.Response answer,
            Response response,
            Callback callback,
            Throwable failure) {
        if (response.isCommitted()) {
            // The client sees its connection end before the answer does.
            callback.failed(failure);
            return;
        }
        if (failure instanceof SlowBodyGuard.SlowBodyException) {
            GatewayErrorHandler.unread(request, response, callback, failure);
            return;
        }
        boolean begun =
                prepared.getAttributes().get(BEGUN) instanceof SentByteTracker.SendMark mark && mark.mayHaveSent();
        JettyReplyWriter.send(
                response,
                callback,
                GatewayRuleSet.of(request)
                        .problems()
                        .response(
                                begun ? GatewayProblem.UPSTREAM_SILENT : GatewayProblem.UPSTREAM_UNREACHABLE,
                                begun
                                        ? "The request had no idempotency key; whether it took effect is unknown."
                                        : "Nothing was sent. Retry later."));
    }

    @Override
    protected Runnable onServerToProxyResponse100Continue(Request request, org.eclipse.jetty.client.Request prepared) {
        InterimResponseHandler.markContinued(prepared);
        return super.onServerToProxyResponse100Continue(request, prepared);
    }

    /** Drops interim responses to protected requests, whose response is stored first. */
    @Override
    protected void onServerToProxyResponse102Processing(
            @Nullable Request request,
            org.eclipse.jetty.client.Request prepared,
            HttpFields headers,
            @Nullable Response response) {
        if (request != null && response != null) {
            super.onServerToProxyResponse102Processing(request, prepared, headers, response);
        }
    }

    @Override
    protected void onServerToProxyResponse103EarlyHints(
            @Nullable Request request,
            org.eclipse.jetty.client.Request prepared,
            HttpFields headers,
            @Nullable Response response) {
        if (request != null && response != null) {
            super.onServerToProxyResponse103EarlyHints(request, prepared, headers, response);
        }
    }
}
