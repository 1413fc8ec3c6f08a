package dev.refrain.trials.kills;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Client of the provider in a child process. */
record ProviderClient(int port) {

    /** Charges; the same derived key again has no effect and returns the same charge. */
    String charge(String key, String derived) {
        return ask("charge " + key + " " + derived);
    }

    String chargeWithoutKey(String key) {
        return ask("charge " + key + " " + ProviderLedger.NO_KEY);
    }

    Optional<String> find(String key) {
        return Optional.of(ask("find " + key)).filter(charge -> !charge.equals("none"));
    }

    private String ask(String line) {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            String answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))
                    .readLine();
            if (answer == null) {
                throw new IllegalStateException("The provider said nothing to: " + line);
            }
            return answer;
        } catch (IOException e) {
            throw new IllegalStateException("The provider never fails in this trial, but did at: " + line, e);
        }
    }
}
