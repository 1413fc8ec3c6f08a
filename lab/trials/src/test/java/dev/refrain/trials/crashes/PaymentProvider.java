package dev.refrain.trials.crashes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Payment provider in a process of its own, with its own ledger and its own memory for keys. */
final class PaymentProvider {

    static final String DECLINED = "declined";

    private final Map<String, String> byKey = new ConcurrentHashMap<>();
    private final Map<String, List<String>> ledger = new ConcurrentHashMap<>();
    private final Set<String> lost = ConcurrentHashMap.newKeySet();

    /** Prints its port, and ends with its parent. */
    public static void main(String[] arguments) throws IOException {
        var provider = new PaymentProvider();
        var door = new ServerSocket(0, 512, InetAddress.getLoopbackAddress());
        System.out.println(door.getLocalPort());
        Thread.ofPlatform().daemon().start(() -> provider.serve(door));
        ChildJvm.awaitEndOfParent();
    }

    private void serve(ServerSocket door) {
        while (true) {
            try {
                var caller = door.accept();
                Thread.ofVirtual().start(() -> answer(caller));
            } catch (IOException e) {
                throw new IllegalStateException("The door is broken", e);
            }
        }
    }

    private void answer(Socket caller) {
        try (caller) {
            var in = new BufferedReader(new InputStreamReader(caller.getInputStream(), StandardCharsets.UTF_8));
            String line = in.readLine();
            if (line != null) {
                caller.getOutputStream().write(answer(line.split(" ")).getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException callerIsDead) {
            // The effect stands all the same.
        }
    }

    /**
     * Answers {@code charge ORDER KEY HOW BLIND}, where a blind charge only notes the key as a reference, or {@code ledger ORDER}, with the
     * name and the key of each charge. An empty answer is a lost reply.
     */
    private String answer(String[] word) {
        if (word[0].equals("ledger")) {
            return String.join(" ", ledger.getOrDefault(word[1], List.of())) + "\n";
        }
        var how = ChargeScenario.valueOf(word[3]);
        String answer = Boolean.parseBoolean(word[4])
                ? charge(word[1], word[2], how)
                : byKey.computeIfAbsent(word[2], key -> charge(word[1], key, how));
        return how == ChargeScenario.REPLY_LOST && lost.add(word[1]) ? "" : answer + "\n";
    }

    private String charge(String order, String key, ChargeScenario how) {
        if (how == ChargeScenario.DECLINED) {
            return DECLINED;
        }
        var entries = ledger.computeIfAbsent(order, o -> new CopyOnWriteArrayList<>());
        String name = "ch_" + UUID.randomUUID();
        entries.add(name + " " + key);
        return name;
    }
}
