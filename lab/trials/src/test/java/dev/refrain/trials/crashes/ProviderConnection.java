package dev.refrain.trials.crashes;

import dev.refrain.crash.CrashInjector;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Connection to the provider. */
record ProviderConnection(int port) {

    /** Sends a charge, with a crash boundary where it is sent and not answered yet. */
    String charge(CrashInjector life, OrderTrial order, String key) throws Exception {
        String line = "charge " + order.key() + " " + key + " " + order.charge() + " " + order.blind();
        return life.foreignCall("charge", () -> ask(line, () -> life.crashPoint("after sending charge")));
    }

    List<ReportedLedgerEntry> ledger(OrderTrial order) throws IOException {
        var words = ask("ledger " + order.key(), () -> {}).split(" ");
        var entries = new ArrayList<ReportedLedgerEntry>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            entries.add(new ReportedLedgerEntry(words[i], words[i + 1], OrderTrial.PRICE));
        }
        return entries;
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
