package dev.refrain.http.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The examples of docs/client.md. */
final class ClientExample {

    private ClientExample() {}

    static RefrainClient client(Path folder, Supplier<String> token) throws IOException {
        // shown
        RefrainClient client = RefrainClient.builder()
                .pendingRequests(PendingRequestStore.inFolder(folder))
                .retention(Duration.ofHours(24)) // as the server's contract says
                .eachAttempt(request -> request.header("Authorization", "Bearer " + token.get()))
                .build();
        // end
        return client;
    }

    static void pay(RefrainClient client, URI uri, Consumer<FinalResponse> ledger)
            throws IOException, InterruptedException {
        // shown
        try {
            client.send(ResendableRequest.postJson(uri, "{\"cents\":1999}"), answer -> {
                ledger.accept(answer); // book it: until this returns, the intent is pending
                return answer;
            });
        } catch (RetryDeadlineExceededException e) {
            // Whether it took effect is unknown. It is pending, and resumed below.
        }
        // end
    }

    static void atStart(RefrainClient client, Consumer<FinalResponse> ledger) throws IOException, InterruptedException {
        // shown
        for (PendingRequest intent : client.pending()) {
            try {
                client.resend(intent, answer -> {
                    ledger.accept(answer);
                    return answer;
                });
            } catch (ConcurrentSendException e) {
                // Another process is at it.
            } catch (RetryDeadlineExceededException e) {
                // Later, then.
            } catch (RetentionExpiredException e) {
                // Not sent: it would be a new request. Find out what became of it, then abandon it.
            }
        }
        // end
    }
}
