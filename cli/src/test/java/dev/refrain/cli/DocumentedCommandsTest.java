package dev.refrain.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.jdbc.JdbcStore;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.StagedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The operators' commands in the docs run as they are written, on a store that an application made with its defaults. Only the places that a
 * reader has to fill in are: the store, the id, the file with the answer.
 */
class DocumentedCommandsTest {

    private static final Path DOCS = Path.of("../docs");
    private static final Pattern COMMAND = Pattern.compile("^\\./refrain (.*--store.*)$", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile("'([^']*)'|(\\S+)");

    @TempDir
    Path directory;

    private String url;
    private JdbcStore store;
    private Refrain refrain;

    @BeforeEach
    void open() {
        url = OperatorTestStore.SQLITE.fresh(directory);
        store = JdbcStore.on(OperatorTestStore.source(url));
        refrain = Refrain.using(store);
    }

    @AfterEach
    void close() {
        refrain.close();
        store.close();
    }

    @Test
    void commandsOfOperationsRunAsWritten() throws Exception {
        assertThat(runAll("operations.md", this::recordInAttention)).isEqualTo(6);
    }

    @Test
    void commandsOfOutboxRunAsWritten() throws Exception {
        assertThat(runAll("outbox.md", this::deadLetter)).isEqualTo(6);
    }

    @Test
    void commandsOfErasureEraseAPersonAndThenTheirTenant() throws Exception {
        for (var subject : List.of("customer-7", "customer-8", "customer-9")) {
            refrain.operation("pay", String.class)
                    .leased(LeaseExpiryPolicy.HOLD)
                    .run(
                            OperationCall.scope("acme")
                                    .key("of-" + subject)
                                    .request("7")
                                    .withSubject(subject),
                            claim -> "paid");
        }
        var commands = commands("erasure.md");

        assertThat(commands).hasSize(2);
        assertThat(run(commands.getFirst(), this::deadLetter)).contains("Erased 1 records");
        assertThat(outcome("customer-7")).isEmpty();
        assertThat(outcome("customer-8")).isPresent();
        assertThat(run(commands.getLast(), this::deadLetter)).contains("Erased 2 records");
        assertThat(outcome("customer-8")).isEmpty();
        assertThat(outcome("customer-9")).isEmpty();
    }

    private Optional<Payload> outcome(String subject) {
        return refrain.admin()
                .find(new ScopedKey("acme", "pay", "of-" + subject))
                .orElseThrow()
                .outcome();
    }

    private interface FreshId {
        String create() throws Exception;
    }

    private static List<String> commands(String page) throws IOException {
        return COMMAND.matcher(Files.readString(DOCS.resolve(page)))
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private int runAll(String page, FreshId id) throws Exception {
        var commands = commands(page);
        for (String command : commands) {
            run(command, id);
        }
        return commands.size();
    }

    private String run(String command, FreshId id) throws Exception {
        var ran = CommandResult.refrain(arguments(command, id));
        assertThat(ran.exitCode()).as("%s%n%s", command, ran.err()).isZero();
        return ran.out();
    }

    /** Splits a command as a shell does, and fills in what a reader has to. */
    private String[] arguments(String command, FreshId id) throws Exception {
        Path answer = Files.writeString(directory.resolve("answer.json"), "{}");
        var words = new ArrayList<String>();
        var matcher = WORD.matcher(command.replaceFirst("\\s+#.*", ""));
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        for (int i = 0; i < words.size(); i++) {
            switch (words.get(i)) {
                case "…", "jdbc:postgresql://db/shop" -> words.set(i, url);
                case "ID" -> words.set(i, id.create());
                case "answer.json" -> words.set(i, answer.toString());
                default -> {
                    // As written.
                }
            }
        }
        if (words.contains("--reason")) {
            words.add("--yes");
        }
        return words.toArray(String[]::new);
    }

    private String recordInAttention() {
        assertThatThrownBy(() -> refrain.operation("pay", String.class)
                .leased(LeaseExpiryPolicy.HOLD)
                .run(
                        OperationCall.scope("acme")
                                .key(UUID.randomUUID().toString())
                                .request("7"),
                        claim -> {
                            throw new EffectUnknownException("The bank did not answer.", null);
                        }));
        return refrain.admin().listAttention(100).getLast().claim().id().toString();
    }

    private String deadLetter() throws Exception {
        var message = new StagedMessage(UUID.randomUUID(), "webhooks", null, Payload.of(new byte[] {1}));
        try (var connection = OperatorTestStore.source(url).getConnection()) {
            connection.setAutoCommit(false);
            store.outbox().stage(connection, message);
            connection.commit();
        }
        var taken = store.outbox()
                .leaseMessages(new MessageLeaseRequest("webhooks", Duration.ofMinutes(1), 10, 10, 1 << 20));
        store.outbox()
                .settle(taken.stream()
                        .map(row -> new MessageSettlement.Dead(
                                row.row(), MessageSettlement.Cause.EXHAUSTED, 0, "the endpoint is down"))
                        .toList());
        return message.id().toString();
    }

    /** A store that has only been made says so instead of failing. */
    @Test
    void listsOfAFreshStoreAreEmpty() throws IOException {
        String fresh = "jdbc:sqlite:" + directory.resolve("fresh.db");
        assertThat(CommandResult.refrain("migrate", "--store", fresh).exitCode())
                .isZero();

        for (var command : List.of(
                List.of("attention"),
                List.of("keys", "list"),
                List.of("outbox", "topics"),
                List.of("deadletters", "list"))) {
            var words = new ArrayList<>(command);
            words.addAll(List.of("--store", fresh));
            assertThat(CommandResult.refrain(words.toArray(String[]::new)).exitCode())
                    .as("%s", command)
                    .isZero();
        }
    }
}
