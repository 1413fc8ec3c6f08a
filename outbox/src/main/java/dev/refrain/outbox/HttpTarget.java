package dev.refrain.outbox;

import dev.refrain.api.NotSentException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;

/**
 * Posts messages to an HTTP endpoint, each with its own {@code Idempotency-Key}, and signed if asked for.
 *
 * <table>
 *   <caption>What an answer means</caption>
 *   <tr><td>2xx</td><td>delivered</td></tr>
 *   <tr><td>410</td><td>refused for good: a dead letter at once</td></tr>
 *   <tr><td>3xx, other 4xx</td><td>refused for now, so long as its {@code Retry-After} says or longer</td></tr>
 *   <tr><td>5xx, no answer</td><td>it may have arrived</td></tr>
 *   <tr><td>no connection</td><td>not sent</td></tr>
 * </table>
 *
 * <p>Redirects are not followed. Immutable, for any number of threads.
 */
public final class HttpTarget implements OutboxTarget {

    private static final Duration TO_CONNECT = Duration.ofSeconds(5);
    private static final int GONE = 410;

    private record Header(String name, String value) {}

    private record PostSettings(
            URI uri,
            List<Header> headers,
            String contentType,
            Optional<WebhookSigner> signing,
            InstantSource clock,
            HttpClient client) {}

    private final PostSettings said;

    private HttpTarget(PostSettings said) {
        this.said = said;
    }

    public static Builder to(URI uri) {
        return new Builder(uri);
    }

    @Override
    public void send(MessageDelivery delivery) throws IOException, InterruptedException {
        HttpResponse<Void> answer;
        try {
            answer = said.client.send(request(delivery), BodyHandlers.discarding());
        } catch (ConnectException | HttpConnectTimeoutException | SSLHandshakeException nothing) {
            throw new NotSentException("No connection to " + said.uri.getHost() + ".", nothing);
        }
        judge(answer);
    }

    private static void judge(HttpResponse<Void> answer) throws IOException {
        int status = answer.statusCode();
        if (status >= 200 && status < 300) {
            return;
        }
        if (status >= 500) {
            throw new IOException("It was answered with " + status + ".");
        }
        throw status == GONE
                ? DeliveryRefusedException.permanent("It was answered with " + status + ".")
                : DeliveryRefusedException.temporary(
                        "It was answered with " + status + ".",
                        retryAfter(answer).orElse(Duration.ZERO));
    }

    /** In seconds; a date would need a clock that agrees with theirs. */
    private static Optional<Duration> retryAfter(HttpResponse<?> answer) {
        return answer.headers()
                .firstValue("Retry-After")
                .filter(value -> value.matches("[0-9]{1,6}"))
                .map(value -> Duration.ofSeconds(Long.parseLong(value)));
    }

    private HttpRequest request(MessageDelivery delivery) {
        var request = HttpRequest.newBuilder(said.uri)
                .POST(BodyPublishers.ofByteArray(delivery.body()))
                .setHeader("Content-Type", said.contentType)
                .setHeader("Idempotency-Key", '"' + delivery.key() + '"');
        said.headers.forEach(header -> request.header(header.name(), header.value()));
        said.signing.ifPresent(signing -> sign(request, delivery, signing));
        return request.build();
    }

    private void sign(HttpRequest.Builder request, MessageDelivery delivery, WebhookSigner signing) {
        String id = delivery.id().toString();
        var now = said.clock.instant();
        request.setHeader(WebhookSigner.ID, id)
                .setHeader(WebhookSigner.TIMESTAMP, Long.toString(now.getEpochSecond()))
                .setHeader(WebhookSigner.SIGNATURE, signing.signature(id, now, delivery.body()));
    }

    /** Says how to post. */
    public static final class Builder {

        private final URI uri;
        private final List<Header> headers = new ArrayList<>();
        private String contentType = "application/json";
        private Optional<WebhookSigner> signing = Optional.empty();
        private InstantSource clock = InstantSource.system();
        private HttpClient client;

        private Builder(URI uri) {
            this.uri = uri;
            // Version 2 in the clear begins with an upgrade that not every server takes.
            this.client = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(TO_CONNECT)
                    .build();
        }

        /** {@code application/json} unless said otherwise. */
        public Builder contentType(String type) {
            contentType = type;
            return this;
        }

        public Builder header(String name, String value) {
            headers.add(new Header(name, value));
            return this;
        }

        public Builder signer(WebhookSigner by) {
            signing = Optional.of(by);
            return this;
        }

        /** Of the time that is signed. */
        public Builder clock(InstantSource source) {
            clock = source;
            return this;
        }

        /** One that does not repeat a POST by itself; the JDK's does not. */
        public Builder client(HttpClient other) {
            client = other;
            return this;
        }

        public HttpTarget build() {
            return new HttpTarget(new PostSettings(uri, List.copyOf(headers), contentType, signing, clock, client));
        }
    }
}
