package dev.refrain.http.client.example;

import dev.refrain.http.client.ConcurrentSendException;
import dev.refrain.http.client.FinalResponse;
import dev.refrain.http.client.PendingRequest;
import dev.refrain.http.client.PendingRequestStore;
import dev.refrain.http.client.RefrainClient;
import dev.refrain.http.client.ResendableRequest;
import dev.refrain.http.client.RetentionExpiredException;
import dev.refrain.http.client.RetryDeadlineExceededException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Examples of docs/client.md. */
public final class ClientExample {

    private ClientExample() {}

    public static RefrainClient client(Path folder, Supplier<String> token) throws IOException {
        // shown
        RefrainClient client = RefrainClient.builder()
                .pendingRequests(PendingRequestStore.inFolder(folder))
                .retention(Duration.ofHours(24)) // as the server's contract says
                .eachAttempt(request -> request.header("Authorization", "Bearer " + token.get()))
                .build();
        // end
        return client;
    }

    public static void pay(RefrainClient client, URI uri, Consumer<FinalResponse> ledger)
            throws IOException, InterruptedException {
        // shown
        try {
            client.send(ResendableRequest.postJson(uri, "{\"cents\":1999}"), response -> {
                ledger.accept(response); // record it: the request is pending until this returns
                return response;
            });
        } catch (RetryDeadlineExceededException e) {
            // Unknown whether it took effect. It stays pending and is resent below.
        }
        // end
    }

    public static void atStart(RefrainClient client, Consumer<FinalResponse> ledger)
            throws IOException, InterruptedException {
        // shown
        for (PendingRequest pending : client.pending()) {
            try {
                client.resend(pending, response -> {
                    ledger.accept(response);
                    return response;
                });
            } catch (ConcurrentSendException e) {
                // Another process is sending it.
            } catch (RetryDeadlineExceededException e) {
                // Try again later.
            } catch (RetentionExpiredException e) {
                // Not sent: it would be a new request. Find out whether it took effect, then discard it.
            }
        }
        // end
    }
}
