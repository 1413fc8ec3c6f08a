package dev.refrain.examples.spring.provider;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import tools.jackson.databind.json.JsonMapper;

/** File with all orders of the bank, one line of JSON each. Thread-safe. */
final class FakeBankLedger {

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String DECLINED_CARD = "pm_card_chargeDeclined";

    enum Kind {
        CHARGE,
        REFUND
    }

    /**
     * Order of a customer.
     *
     * @param reference the customer's name for a charge; for a refund, the id of the charge
     */
    record Order(String reference, long amount, String currency, String card) {}

    /**
     * Entry of the ledger.
     *
     * @param declined the reason for declining; empty if the order was carried out
     */
    record Entry(String key, Kind kind, Order order, String id, String declined) {}

    private final Path file;
    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private FakeBankLedger(Path file) {
        this.file = file;
    }

    static FakeBankLedger in(Path file) throws IOException {
        var ledger = new FakeBankLedger(file);
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                var entry = JSON.readValue(line, Entry.class);
                ledger.entries.put(entry.key(), entry);
            }
        }
        return ledger;
    }

    synchronized List<Entry> entries() {
        return List.copyOf(entries.values());
    }

    /** Returns the entry of this key: a new one, or that of the order for which it was first used. */
    synchronized Entry record(String key, Kind kind, Order order) {
        return entries.computeIfAbsent(key, k -> {
            String id = (kind == Kind.CHARGE ? "ch_" : "rf_") + UUID.randomUUID();
            var entry = new Entry(key, kind, order, id, reasonToDecline(kind, order));
            write(entry);
            return entry;
        });
    }

    private String reasonToDecline(Kind kind, Order order) {
        if (kind == Kind.CHARGE) {
            return order.card().equals(DECLINED_CARD) ? "insufficient_funds" : "";
        }
        long charged = sum(Kind.CHARGE, order.reference());
        return charged == 0
                ? "unknown_charge"
                : order.amount() > charged - sum(Kind.REFUND, order.reference()) ? "more_than_was_charged" : "";
    }

    private long sum(Kind kind, String charge) {
        return entries.values().stream()
                .filter(entry -> entry.kind() == kind && entry.declined().isEmpty())
                .filter(entry ->
                        (kind == Kind.CHARGE ? entry.id() : entry.order().reference()).equals(charge))
                .mapToLong(entry -> entry.order().amount())
                .sum();
    }

    private void write(Entry entry) {
        try {
            Files.writeString(
                    file,
                    JSON.writeValueAsString(entry) + "\n",
                    StandardCharsets.UTF_8,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND,
                    StandardOpenOption.SYNC);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
