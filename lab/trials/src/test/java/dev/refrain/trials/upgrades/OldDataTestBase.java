package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.FrozenShop.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.store.AttentionItem;
import dev.refrain.trials.upgrades.FrozenShop.OrderRequest;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/**
 * Opens data of older versions with this one. {@link ShopHistory} says what is in it, and what was known of it then is among its facts. After
 * loading, its times are moved so that it was written ten minutes ago, unless a test says otherwise: leases of half a minute are over, those
 * of hours live, and nothing has expired.
 */
abstract class OldDataTestBase {

    static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    static final int ALL = 1_000;

    @Parameter
    OldDump dump;

    @TempDir
    Path directory;

    final List<AutoCloseable> opened = new ArrayList<>();
    EmptyDatabase database;
    FrozenShop shop;
    Map<String, String> facts;

    static List<OldDump> dumps() {
        return OldDump.all();
    }

    /**
     * Data that was written that long ago, for a service that does not encrypt. Such a service refuses data that another encrypts in, so the
     * marks of encryption are taken out: what they stand for is looked at by {@link OldEncryptedDataTest}.
     */
    void open(Duration age) throws Exception {
        load(age);
        try (var connection = database.source().getConnection();
                var statement = connection.createStatement()) {
            statement.execute("DELETE FROM refrain_meta WHERE name LIKE 'encryption.%'");
        }
        shop = opened(FrozenShop.open(database));
    }

    void load(Duration age) throws Exception {
        close();
        facts = dump.facts();
        database = EmptyDatabase.of(dump.dialect(), directory.resolve(age.toString()));
        opened.add(database);
        dump.load(database, age);
    }

    FrozenShop opened(FrozenShop another) {
        opened.add(another);
        facts.forEach((name, value) -> {
            if (name.startsWith("bank.")) {
                another.bank.remember(name.substring("bank.".length()), value);
            } else if (name.startsWith("carrier.")) {
                another.carrier.remember(name.substring("carrier.".length()), value);
            }
        });
        return another;
    }

    @AfterEach
    void close() throws Exception {
        for (var each : opened.reversed()) {
            each.close();
        }
        opened.clear();
    }

    String fact(String name) {
        return Optional.ofNullable(facts.get(name)).orElseThrow(() -> new AssertionError("No fact " + name));
    }

    String ordered(String key) {
        return fact(key + ".key.ordered");
    }

    AttentionItem waiting(String key) {
        return shop.refrain.admin().listAttention(ALL).stream()
                .filter(item -> item.identity().key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    static <T> T never(Object claim) {
        throw new AssertionError("It ran again.");
    }

    static Outcome.Answer replayed(OperationResult result) {
        assertThat(result).isInstanceOf(OperationResult.Replayed.class);
        return (Outcome.Answer) ((OperationResult.Replayed) result).outcome();
    }

    static void mismatched(OperationResult result) {
        assertThat(result).isInstanceOf(OperationResult.Mismatch.class);
    }

    static void undecided(OperationResult result) {
        assertThat(result).isInstanceOf(OperationResult.Attention.class);
    }

    static String text(Outcome.Answer answer) {
        return new String(answer.body().bytes(), StandardCharsets.UTF_8);
    }

    static void await(ThrowingRunnable seen) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(seen);
    }

    void requireEverythingAsItWas() {
        var then = new TreeMap<>(facts);
        then.keySet().removeIf(name -> !name.startsWith("seen."));

        assertThat(StoreInventory.of(shop.store)).isEqualTo(then).hasSizeGreaterThan(70);
    }

    /** It does what is left, sends what is named, and answers the same ever after. */
    void goesOn(Flow<OrderRequest, Object, Connection> flow, String key, List<String> sent, String... notes)
            throws Exception {
        int sentBefore = shop.bank.sent().size();
        shop.notes.clear();

        var ran = shop.flows.runForResult(flow, order(key));
        assertThat(ran).as(key).isInstanceOf(OperationResult.Ran.class);
        var again = shop.flows.runForResult(flow, order(key));

        var answer = ((OperationResult.Ran) ran).answer();
        assertThat(replayed(again)).isEqualTo(answer);
        assertThat(answer.status()).isEqualTo(201);
        assertThat(text(answer))
                .isEqualTo("{\"order\":\"order of a book\",\"charge\":\""
                        + shop.bank.standing().get(ordered(key)) + "\"}");
        assertThat(shop.record(flow.name(), key).id()).hasToString(fact(key + ".id"));
        assertThat(shop.bank.sent().subList(sentBefore, shop.bank.sent().size()))
                .isEqualTo(sent);
        assertThat(shop.notes).as(key).hasSize(notes.length).allMatch(note -> note.endsWith(" for ann"));
        for (int i = 0; i < notes.length; i++) {
            assertThat(shop.notes.get(i)).startsWith(notes[i]);
        }
        if (facts.containsKey("bank." + ordered(key))) {
            assertThat(shop.bank.standing().get(ordered(key))).isEqualTo(fact("bank." + ordered(key)));
        }
    }

    static CompleterSettings completion() {
        return new CompleterSettings(Duration.ofMillis(20), Duration.ofMinutes(1), Duration.ofHours(1), 10, 4);
    }
}
