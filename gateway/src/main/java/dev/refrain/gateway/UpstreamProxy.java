package dev.refrain.gateway;

import dev.refrain.gateway.config.UpstreamConnectionSettings;
import dev.refrain.http.edge.ProblemType;
import java.net.URI;
import java.net.URISyntaxException;
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
    private final GatewayTracer traces;

    UpstreamProxy(UpstreamConnectionSettings limits, GatewayTracer traces) {
        this.limits = limits;
        this.traces = traces;
        setViaHost("refrain");
    }

    @Override
    protected HttpClient newHttpClient() {
        var connector = new ClientConnector();
        connector.setExecutor(getServer().getThreadPool());
        limits.tls().ifPresent(connector::setSslContextFactory);
        return new HttpClient(new HttpClientTransportDynamic(connector));
    }

    @Override
    protected void configureHttpClient(HttpClient client) {
        super.configureHttpClient(client);
        client.setConnectTimeout(limits.connect().toMillis());
        client.setIdleTimeout(limits.keepAlive().toMillis());
        client.setMaxConnectionsPerDestination(limits.connections());
        client.setMaxRequestsQueuedPerDestination(limits.queued());
        client.setMaxResponseHeadersSize(limits.headerBytes());
        // Nothing is said to the service behind that the client did not say.
        client.setUserAgentField(null);
        client.setDefaultRequestContentType(null);
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        getHttpClient().getProtocolHandlers().put(new InterimResponseHandler());
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
        String whole = target.base() + path;
        if (whole.startsWith("//")) {
            try {
                // By itself it would be read as another host and the path there.
                return getHttpClient().newRequest(new URI(target.origin() + whole));
            } catch (URISyntaxException inItsQuery) {
                // What is no URI is sent as it stands.
            }
        }
        return getHttpClient()
                .newRequest(target.host(), target.port())
                .scheme(target.scheme())
                .path(whole);
    }

    @Override
    protected HttpURI rewriteHttpURI(Request request) {
        return request.getHttpURI();
    }

    @Override
    protected org.eclipse.jetty.client.Request newProxyToServerRequest(Request request, HttpURI uri) {
        return to(request, uri.getPathQuery()).method(request.getMethod());
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
        prepared.headers(headers -> {
            String before = headers.get(HttpHeader.X_FORWARDED_FOR);
            String from = Request.getRemoteAddr(request);
            headers.put(HttpHeader.X_FORWARDED_FOR, before == null ? from : before + ", " + from);
            headers.put(HttpHeader.X_FORWARDED_PROTO, protocol(request));
            String host = request.getHeaders().get(HttpHeader.HOST);
            if (host != null) {
                headers.put(HttpHeader.X_FORWARDED_HOST, host);
            }
        });
    }

    @Override
    protected void addForwardedHeader(Request request, org.eclipse.jetty.client.Request prepared) {
        var uri = HttpURI.build(request.getHttpURI()).scheme(protocol(request)).asImmutable();
        super.addForwardedHeader(
                new Request.Wrapper(request) {
                    @Override
                    public HttpURI getHttpURI() {
                        return uri;
                    }
                },
                prepared);
    }

    /** Returns the scheme of the connection; the one in an absolute request target is not trusted. */
    private static String protocol(Request request) {
        return request.getConnectionMetaData().isSecure() ? "https" : "http";
    }

    @Override
    protected void sendProxyToServerRequest(
            Request request, org.eclipse.jetty.client.Request prepared, Response response, Callback callback) {
        prepared.idleTimeout(GatewayRuleSet.of(request).target().idle().toMillis(), TimeUnit.MILLISECONDS)
                .onRequestBegin(sent -> sent.attribute(BEGUN, true));
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
        boolean begun = prepared.getAttributes().containsKey(BEGUN);
        JettyReplyWriter.send(
                response,
                callback,
                GatewayRuleSet.of(request)
                        .problems()
                        .response(
                                begun ? ProblemType.UPSTREAM_SILENT : ProblemType.UPSTREAM_UNREACHABLE,
                                begun
                                        ? "The request had no idempotency key; whether it took effect is unknown."
                                        : "Nothing was sent. Retry later."));
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
