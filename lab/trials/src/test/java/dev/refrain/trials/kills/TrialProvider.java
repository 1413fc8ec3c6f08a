package dev.refrain.trials.kills;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Provider that moves the money: in the parent, which is not killed, and reached by a socket, so that a request takes effect although its
 * caller is dead.
 */
final class TrialProvider implements AutoCloseable {

    private static final int USUAL_DELAY_MILLIS = 30;
    private static final int LONG_DELAY_MILLIS = 2_500;
    private static final int ONE_IN = 150;

    private final ServerSocket door;
    private final ProviderLedger ledger;
    private final AtomicInteger open = new AtomicInteger();

    TrialProvider(Path ledgerFile) throws IOException {
        ledger = new ProviderLedger(ledgerFile);
        door = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        Thread.ofVirtual().name("provider").start(this::serve);
    }

    int port() {
        return door.getLocalPort();
    }

    ProviderLedger ledger() {
        return ledger;
    }

    /** Returns whether every request has been processed. */
    boolean isQuiet() {
        return open.get() == 0;
    }

    private void serve() {
        while (true) {
            try {
                Socket caller = door.accept();
                open.incrementAndGet();
                Thread.ofVirtual().start(() -> answer(caller));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void answer(Socket caller) {
        try (caller) {
            var in = new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8));
            String line = in.readLine();
            if (line != null) {
                caller.getOutputStream().write((answer(line) + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException callerIsDead) {
            // The effect stands all the same; that is what is tried here.
        } finally {
            open.decrementAndGet();
        }
    }

    private String answer(String line) throws IOException {
        String[] word = line.split(" ");
        if (word[0].equals("find")) {
            return ledger.find(word[1]).map(ProviderLedger.Effect::charge).orElse("none");
        }
        String charge = ledger.charge(word[1], word[2]).charge();
        linger();
        return charge;
    }

    /** Waits between the effect and its answer, where a caller's death hurts; sometimes longer than a lease. */
    private static void linger() {
        var random = ThreadLocalRandom.current();
        try {
            Thread.sleep(random.nextInt(ONE_IN) == 0 ? LONG_DELAY_MILLIS : random.nextInt(USUAL_DELAY_MILLIS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() throws IOException {
        door.close();
        ledger.close();
    }
}
