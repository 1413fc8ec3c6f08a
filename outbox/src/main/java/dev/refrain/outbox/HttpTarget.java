package dev.refrain.outbox;

import dev.refrain.api.NotSentException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Target that posts messages to an HTTP endpoint, each with its own {@code Idempotency-Key}, and signed if a signer is set.
 *
 * <table>
 *   <caption>Meaning of an answer</caption>
 *   <tr><td>2xx</td><td>delivered</td></tr>
 *   <tr><td>410</td><td>refused permanently: a dead letter at once</td></tr>
 *   <tr><td>3xx, other 4xx</td><td>refused for now, for at least its {@code Retry-After}</td></tr>
 *   <tr><td>5xx, no answer</td><td>it may have arrived</td></tr>
 *   <tr><td>no connection</td><td>not sent</td></tr>
 * </table>
 *
 * <p>Redirects are not followed. Immutable; safe for use by many threads.
 */
public final class HttpTarget implements OutboxTarget {

    private static final Duration TO_CONNECT = Duration.ofSeconds(5);
    private static final int GONE = 410;
    private static final int MAX_PORT = 65_535;

    private record Header(String name, String value) {}

    private record PostSettings(
            URI uri,
            List<Header> headers,
            String contentType,
            Optional<WebhookSigner> signing,
            InstantSource clock,
            HttpClient client) {}

    private final PostSettings settings;

    private HttpTarget(PostSettings settings) {
        this.settings = settings;
    }

    /** Returns a builder for a target that posts to this address. */
    public static Builder to(URI uri) {
        return new Builder(uri);
    }

    @Override
    public void send(MessageDelivery delivery) throws IOException, InterruptedException {
        var body = new TrackedBodyPublisher(delivery.body());
        var request = request(delivery, body);
        HttpResponse<Void> answer;
        try {
            answer = settings.client.send(request, BodyHandlers.discarding());
        } catch (ConnectException | HttpConnectTimeoutException nothing) {
            throw notConnected(nothing);
        } catch (IOException failed) {
            // A failed handshake, a server that does not speak TLS, a proxy that opens no tunnel. Their exceptions
            // say too little: with TLS 1.3 a handshake can fail after the request was written.
            if (body.mayBeWritten()) {
                throw failed;
            }
            throw notConnected(failed);
        } catch (RuntimeException refused) {
            // The client refuses a request by its address or its own state; what it says may quote a header.
            if (body.mayBeWritten()) {
                throw new IOException(
                        "The client failed with " + refused.getClass().getName() + ".");
            }
            throw new NotSentException("Cannot send to " + settings.uri.getHost() + ": "
                    + refused.getClass().getName() + ". Nothing was sent.");
        }
        judge(answer);
    }

    private NotSentException notConnected(IOException why) {
        return new NotSentException("Cannot connect to " + settings.uri.getHost() + "; nothing was sent.", why);
    }

    private static void judge(HttpResponse<Void> answer) throws IOException {
        int status = answer.statusCode();
        if (status >= 200 && status < 300) {
            return;
        }
        if (status >= 500) {
            throw new IOException("The endpoint answered with status " + status + ".");
        }
        throw status == GONE
                ? DeliveryRefusedException.permanent("The endpoint answered with status " + status + ".")
                : DeliveryRefusedException.temporary(
                        "The endpoint answered with status " + status + ".",
                        retryAfter(answer).orElse(Duration.ZERO));
    }

    /** Returns the Retry-After in seconds; one that is a date is ignored, because clocks differ. */
    private static Optional<Duration> retryAfter(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("[0-9]{1,6}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    /** Makes the request. If that fails, nothing was sent; what failed may quote a header, so it is not passed on. */
    private HttpRequest request(MessageDelivery delivery, BodyPublisher body) {
        try {
            var request = HttpRequest.newBuilder(settings.uri)
                    .POST(body)
                    .setHeader("Content-Type", settings.contentType)
                    .setHeader("Idempotency-Key", '"' + delivery.key() + '"');
            settings.headers.forEach(header -> request.header(header.name(), header.value()));
            settings.signing.ifPresent(signing -> sign(request, delivery, signing));
            return request.build();
        } catch (RuntimeException unsendable) {
            throw new NotSentException("Cannot make the request to " + settings.uri.getHost() + ": "
                    + unsendable.getClass().getName() + ". Nothing was sent.");
        }
    }

    private void sign(HttpRequest.Builder request, MessageDelivery delivery, WebhookSigner signing) {
        String id = delivery.id().toString();
        var now = settings.clock.instant();
        request.setHeader(WebhookSigner.ID, id)
                .setHeader(WebhookSigner.TIMESTAMP, Long.toString(now.getEpochSecond()))
                .setHeader(WebhookSigner.SIGNATURE, signing.signature(id, now, delivery.body()));
    }

    /** Declares how messages are posted. */
    public static final class Builder {

        private final URI uri;
        private final List<Header> headers = new ArrayList<>();
        private String contentType = "application/json";
        private Optional<WebhookSigner> signing = Optional.empty();
        private InstantSource clock = InstantSource.system();
        private HttpClient client;

        private Builder(URI uri) {
            this.uri = requireHttp(uri);
            // Version 2 in the clear begins with an upgrade that not every server takes.
            this.client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TO_CONNECT)
                    .build();
        }

        /** The message shows neither path nor query, which may hold a secret. */
        private static URI requireHttp(URI uri) {
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            if (!http || uri.getHost() == null) {
                throw new IllegalArgumentException("Cannot post to an address with scheme " + uri.getScheme()
                        + " and host " + uri.getHost() + ": use an absolute http or https URL.");
            }
            if (uri.getPort() == 0 || uri.getPort() > MAX_PORT) {
                throw new IllegalArgumentException("Cannot post to port " + uri.getPort() + " of " + uri.getHost()
                        + ": use an absolute http or https URL with a port from 1 to " + MAX_PORT + ".");
            }
            if (uri.getUserInfo() != null) {
                throw new IllegalArgumentException("Cannot post to an address of " + uri.getHost()
                        + " with user and password in it: they would not be sent. Add a header Authorization.");
            }
            return uri;
        }

        /**
         * Sets the content type; {@code application/json} by default.
         *
         * @throws IllegalArgumentException if it cannot be sent
         */
        public Builder contentType(String type) {
            requireSendable("Content-Type", type);
            contentType = type;
            return this;
        }

        /**
         * Adds a header to every request.
         *
         * @throws IllegalArgumentException if it can never be sent, such as a value with a line break; the message does not show the value
         */
        public Builder header(String name, String value) {
            requireSendable(name, value);
            headers.add(new Header(name, value));
            return this;
        }

        private void requireSendable(String name, String value) {
            try {
                HttpRequest.newBuilder(uri).header(name, value);
            } catch (IllegalArgumentException refused) {
                // Its message quotes the value, which may be a secret.
                throw new IllegalArgumentException(
                        "Cannot send a header " + printable(name)
                                + ": its name is reserved or malformed, or its value has a line break or another control character.");
            }
        }

        private static String printable(String name) {
            return name.replaceAll("[^!-~]", "?");
        }

        /** Signs messages as Standard Webhooks says. */
        public Builder signer(WebhookSigner by) {
            signing = Optional.of(by);
            return this;
        }

        /** Sets the clock for signed timestamps; the system clock by default. */
        public Builder clock(InstantSource source) {
            clock = source;
            return this;
        }

        /** Sets the HTTP client, which must not repeat a POST by itself; the JDK's does not. */
        public Builder client(HttpClient other) {
            client = other;
            return this;
        }

        /** Builds the target. */
        public HttpTarget build() {
            return new HttpTarget(new PostSettings(uri, List.copyOf(headers), contentType, signing, clock, client));
        }
    }
}
