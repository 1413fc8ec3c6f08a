package dev.refrain.http.client;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;

/** Main class of a client process. The test sees only its output. */
final class ClientProcess {

    private ClientProcess() {}

    public static void main(String[] args) throws Exception {
        var client = RefrainClient.builder()
                .pendingRequests(PendingRequestStore.inFolder(Path.of(args[1])))
                .deadline(Duration.ofMinutes(1))
                .build();
        switch (args[0]) {
            case "send" -> say(client.send(ResendableRequest.postJson(URI.create(args[2]), "{\"cents\":1999}")));
            case "resume" -> resume(client);
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void resume(RefrainClient client) throws IOException, InterruptedException {
        var pending = client.pending();
        System.out.println("pending " + pending.size());
        for (var intent : pending) {
            try {
                say(client.resend(intent));
            } catch (ConcurrentSendException taken) {
                System.out.println("taken " + taken.key());
            }
        }
    }

    private static void say(FinalResponse answer) {
        System.out.println("answered " + answer.status() + " " + answer.text() + " under " + answer.key());
    }
}
