package dev.refrain.trials.crashes;

import dev.refrain.crash.Life;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** The way to the provider. */
record ProviderLine(int port) {

    /** With a boundary where it is sent and not answered yet: there the provider goes on without its caller. */
    String charge(Life life, String order, String key, Charge how) throws Exception {
        return life.foreign(
                "charge",
                () -> ask("charge " + order + " " + key + " " + how, () -> life.boundary("after sending charge")));
    }

    long charges(String order) throws IOException {
        return Long.parseLong(ask("count " + order, () -> {}));
    }

    private String ask(String line, Runnable sent) throws IOException {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            sent.run();
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (answer == null) {
                throw new IOException("The reply was lost: " + line);
            }
            return answer;
        }
    }
}
