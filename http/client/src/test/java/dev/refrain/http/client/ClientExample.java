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
                .pendingRequests(Intents.inFolder(folder))
                .retention(Duration.ofHours(24)) // as the server's contract says
                .eachAttempt(request -> request.header("Authorization", "Bearer " + token.get()))
                .build();
        // end
        return client;
    }

    static void pay(RefrainClient client, URI uri, Consumer<Answer> ledger) throws IOException, InterruptedException {
        // shown
        try {
            client.send(Request.postJson(uri, "{\"cents\":1999}"), answer -> {
                ledger.accept(answer); // book it: until this returns, the intent is pending
                return answer;
            });
        } catch (UnansweredException e) {
            // Whether it took effect is unknown. It is pending, and resumed below.
        }
        // end
    }

    static void atStart(RefrainClient client, Consumer<Answer> ledger) throws IOException, InterruptedException {
        // shown
        for (Intent intent : client.pending()) {
            try {
                client.resend(intent, answer -> {
                    ledger.accept(answer);
                    return answer;
                });
            } catch (IntentTakenException e) {
                // Another process is at it.
            } catch (UnansweredException e) {
                // Later, then.
            } catch (RetentionOverException e) {
                // Not sent: it would be a new request. Find out what became of it, then abandon it.
            }
        }
        // end
    }
}
