package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.StoredFailure;
import dev.refrain.api.TraceId;
import dev.refrain.http.KeptRequest;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Operator commands on real stores. */
@ParameterizedClass
@EnumSource(OperatorTestStore.class)
class OperatorCommandsTest {

    @Parameter
    OperatorTestStore kind;

    @TempDir
    Path directory;

    private String given;
    private String url;
    private JdbcStore store;

    @BeforeEach
    void open() throws IOException {
        given = kind.fresh(directory);
        url = OperatorTestStore.withoutPassword(given, directory);
        store = OperatorTestStore.open(given);
    }

    @AfterEach
    void close() {
        store.close();
        OperatorTestStore.forgetPassword();
    }

    @Test
    void keysAreListedPagedAndShown() {
        var first = completed("k1");
        claimed("k2");
        CommandResult listed = run("keys", "list");
        assertThat(listed.exitCode()).isZero();
        assertThat(listed.out())
                .contains(
                        "STATE",
                        "k1",
                        "k2",
                        "COMPLETED",
                        "IN_PROGRESS",
                        first.id().toString());
        assertThat(listed.err()).isEmpty();

        var page = json("keys", "list", "--limit", "1");
        assertThat(page.at("/records/0/key").asString()).isEqualTo("k2");
        var next =
                json("keys", "list", "--limit", "1", "--after", page.at("/next").asString());
        assertThat(next.at("/records/0/key").asString()).isEqualTo("k1");
        assertThat(next.has("next")).isFalse();
        assertThat(json("keys", "list", "--state", "COMPLETED", "--scope", "acme", "--since", "1h")
                        .at("/records"))
                .hasSize(1);

        CommandResult shown = run("keys", "show", "--scope", "acme", "--namespace", "pay", "--key", "k1");
        assertThat(shown.out()).contains("COMPLETED", first.id().toString()).doesNotContain("answer", "the body");
        assertThat(json("keys", "show", "--id", first.id().toString())
                        .at("/key")
                        .asString())
                .isEqualTo("k1");
    }

    @Test
    void contentsAreRevealedOnlyForAnAuditedReason() {
        completed("k1");
        var named = new String[] {"keys", "show", "--scope", "acme", "--namespace", "pay", "--key", "k1", "--reveal"};
        assertThat(run(named).exitCode()).isEqualTo(2);
        CommandResult unconfirmed = run(with(named, "--reason", "ticket 7"));
        assertThat(unconfirmed.exitCode()).isEqualTo(1);
        assertThat(unconfirmed.err()).contains("Use --yes").hasLineCount(1);
        assertThat(store.listAuditTrail(10)).isEmpty();

        var revealed = json(with(named, "--reason", "ticket 7", "--by", "ann", "--yes"));
        assertThat(revealed.at("/contents/answer/status").asInt()).isEqualTo(201);
        assertThat(revealed.at("/contents/answer/body/text").asString()).isEqualTo("the body");
        assertThat(revealed.at("/trail/0/who").asString()).isEqualTo("ann");
        assertThat(revealed.at("/trail/0/why").asString()).isEqualTo("ticket 7");
    }

    @Test
    void keptRequestIsRevealedWithItsKey() {
        var request = new KeptRequest(
                "POST",
                "/pay/7",
                List.of(new KeptRequest.SentHeader("Content-Type", "text/plain")),
                900,
                new KeptRequest.KeptBody.CutBody(Payload.of("pay \n 7\u202e".getBytes(StandardCharsets.UTF_8))));
        var readable = kept("readable", request.encode());
        var encrypted = kept("encrypted", Payload.of(new byte[] {(byte) 0xE1, 1, 2, 3}));
        var named = new String[] {"keys", "show", "--id", readable.id().toString()};
        assertThat(json(named).at("/keptRequestBytes").asInt()).isPositive();
        assertThat(run(named).out()).doesNotContain("pay \\n 7");

        var reveal = with(named, "--reveal", "--reason", "ticket 7", "--yes");
        assertThat(run(reveal).out())
                .contains("kept request", "POST /pay/7", "Content-Type: text/plain")
                .contains("(the first 10 of 900 bytes of text/plain)");
        var revealed = json(reveal).at("/contents/keptRequest");
        assertThat(revealed.at("/target").asString()).isEqualTo("/pay/7");
        assertThat(revealed.at("/body").asString()).isEqualTo("pay \n 7\u202e");
        assertThat(run(with(reveal, "--json")).out())
                .as("nothing of it steers a terminal")
                .contains("\\u202E")
                .matches("[\\x20-\\x7e\\s]*");
        assertThat(revealed.at("/receivedBytes").asInt()).isEqualTo(900);
        assertThat(run("keys", "show", "--id", encrypted.id().toString(), "--reveal", "--reason", "ticket 7", "--yes")
                        .out())
                .contains("encrypted; cannot be read here");
    }

    private ClaimRef kept(String key, Payload request) {
        var claim = ((ClaimResponse.Acquired) store.claim(List.of(ClaimRequest.of(
                                        new ScopedKey("acme", "pay", key),
                                        Fingerprint.stored("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                                        ExecutionEnvironment.system().newNonce(),
                                        Duration.ofMinutes(5),
                                        LeaseExpiryPolicy.HOLD,
                                        Retention.of(Duration.ofHours(24)))
                                .withKeptRequest(request)))
                        .getFirst())
                .record()
                .claim();
        store.write(List.of(new RecordWrite.Escalate(claim, "nobody knows")));
        return claim;
    }

    @Test
    void keyExplainsItself() {
        var first = inAttention("k");
        store.resolve(new Resolution(first, new Resolution.RunAgain(), "ann", "never sent"));
        var claim = inAttention("k");
        String derived = claim.id().keyFor("charge");

        assertThat(run("attention").out()).contains("NAMESPACE", "pay ", "OPERATION", "POST /pay", "charge " + derived);
        assertThat(json("attention").at("/0/namespace").asString()).isEqualTo("pay");
        assertThat(json("attention").at("/0/explanation/operation").asString()).isEqualTo("POST /pay");
        assertThat(run("keys", "show", "--id", claim.id().toString()).out())
                .contains("POST /pay", "alice", "charge under key " + derived)
                .contains("attempt 1", "outcome unknown: nobody knows")
                .contains("attempt 3", "web-1", "(trace 00000000000000010000000000000002)");
        var explained = json("keys", "show", "--id", claim.id().toString()).at("/explanation");
        assertThat(explained.at("/operation").asString()).isEqualTo("POST /pay");
        assertThat(explained.at("/caller").asString()).isEqualTo("alice");
        assertThat(explained.at("/traceId").asString()).isEqualTo("00000000000000010000000000000002");
        assertThat(explained.at("/calls/0/derivedKey").asString()).isEqualTo(derived);
        assertThat(explained.at("/attempts/1/instance").asString()).isEqualTo("web-1");
        assertThat(json("attention").at("/0/explanation")).isNotEmpty();
    }

    @Test
    void keysInAttentionAreListedReleasedAndResolved() throws IOException {
        assertThat(run("attention").out()).startsWith("No keys in ATTENTION");
        var again = inAttention("again");
        var done = inAttention("done");
        assertThat(run("attention").out()).contains("again", "done", "nobody knows");

        CommandResult released =
                run("keys", "release", "--id", again.id().toString(), "--reason", "not charged", "--yes");
        assertThat(released.out()).isEqualToIgnoringNewLines("Record " + again.id() + " was released.");
        var body = Files.writeString(directory.resolve("answer.json"), "{\"paid\":true}");
        CommandResult resolved = run(
                "keys",
                "resolve",
                "--id",
                done.id().toString(),
                "--status",
                "201",
                "--header",
                "Content-Type: application/json",
                "--body",
                body.toString(),
                "--reason",
                "bank says so",
                "--by",
                "bob",
                "--yes");
        assertThat(resolved.exitCode()).isZero();

        assertThat(json("attention")).isEmpty();
        var outcome = store.find(List.of(new ScopedKey("acme", "pay", "done")))
                .getFirst()
                .orElseThrow()
                .outcome()
                .map(OutcomeFormat::decode)
                .orElseThrow();
        assertThat(outcome.status()).isEqualTo(201);
        assertThat(outcome.header("content-type")).contains("application/json");
        assertThat(new String(outcome.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("{\"paid\":true}");
        assertThat(store.listAuditTrail(10))
                .extracting(entry -> entry.who() + ": " + entry.why())
                .containsExactly("bob: bank says so", System.getProperty("user.name") + ": not charged");
    }

    @Test
    void keyNotInAttentionIsLeftAlone() {
        completed("k1");
        CommandResult ran = run(
                "keys", "release", "--scope", "acme", "--namespace", "pay", "--key", "k1", "--reason", "x", "--yes");
        assertThat(ran.exitCode()).isEqualTo(1);
        assertThat(ran.err())
                .contains("is COMPLETED; only records in ATTENTION can be released.")
                .hasLineCount(1);
        var waits = inAttention("k2");
        assertThat(run("keys", "release", "--id", waits.id().toString(), "--reason", " ", "--yes")
                        .exitCode())
                .isEqualTo(2);
        assertThat(run("keys", "release", "--id", waits.id().toString(), "--reason", "x")
                        .exitCode())
                .isEqualTo(1);
        assertThat(json("attention")).hasSize(1);
    }

    @Test
    void missingKeyOrFileIsReportedInOneLine() {
        assertThat(run("keys", "show", "--namespace", "pay", "--key", "none").err())
                .isEqualToIgnoringNewLines("refrain: No key 'none' in namespace pay of the empty scope.");
        assertThat(run("keys", "show").exitCode()).isEqualTo(2);
        for (String command : List.of("keys show", "deadletters show")) {
            CommandResult noId = run((command + " --id nope").split(" "));
            assertThat(noId.exitCode()).isEqualTo(2);
            assertThat(noId.err())
                    .contains("'nope' is not an id: copy the 36 characters")
                    .doesNotContain("java.")
                    .hasLineCount(1);
        }
        assertThat(run("keys", "list", "--state", "attention").exitCode()).isZero();
        var waits = inAttention("waits");
        CommandResult noBody = run(
                "keys",
                "resolve",
                "--id",
                waits.id().toString(),
                "--status",
                "201",
                "--body",
                "/none",
                "--reason",
                "x",
                "--yes");
        assertThat(noBody.exitCode()).isEqualTo(1);
        assertThat(noBody.err())
                .contains("File not found: /none. --body takes the file")
                .hasLineCount(1);
        assertThat(run("keys", "list", "--after", "bogus").err())
                .contains("this is none")
                .hasLineCount(1);
        assertThat(run("keys", "list", "--since", "yesterday").err())
                .contains("is not a time")
                .hasLineCount(1);
    }

    @Test
    void emptyListSaysWhatToDoNext() {
        assertThat(run("keys", "list").out()).startsWith("No keys yet.").contains("--store");
        assertThat(run("keys", "list", "--scope", "acme").out()).startsWith("No keys match.");
        assertThat(run("keys", "list", "--since", "1h").out()).startsWith("No keys match.");
        assertThat(run("outbox", "list").out())
                .startsWith("No waiting messages.")
                .contains("deadletters list");
        assertThat(run("deadletters", "list").out())
                .startsWith("No dead letters.")
                .contains("outbox topics");
        assertThat(run("outbox", "topics").out())
                .startsWith("No waiting messages and no dead letters.")
                .contains("--store");
        assertThat(run("attention").out()).startsWith("No keys in ATTENTION").contains("--store", "refrain keys list");
        assertThat(json("keys", "list").at("/records").isEmpty()).isTrue();
    }

    @Test
    void hostileKeyIsEscaped() {
        claimed("\u001b[2Jk");
        assertThat(run("keys", "list").out()).contains("\\u001b[2Jk").doesNotContain("\u001b");
    }

    @Test
    void expiredKeysAreReaped() throws SQLException {
        completed("k1");
        completed("k2");
        execute(
                kind == OperatorTestStore.SQLITE
                        ? "UPDATE refrain_record SET expires_at = 1"
                        : "UPDATE refrain_record SET expires_at = now() - interval '1 second'");
        assertThat(run("reap").out()).isEqualToIgnoringNewLines("Reaped 2 expired records.");
        assertThat(json("reap").at("/reaped").asInt()).isZero();
    }

    @Test
    void migrateCreatesTablesAndSchemaErrorsAreReportedInOneLine() throws SQLException {
        store.close();
        execute("DROP INDEX refrain_record_claimed_at");
        assertThat(run("keys", "list").exitCode()).as("the first list").isZero();
        int version = json("migrate").at("/version").asInt();
        int oldestReader = json("migrate").at("/oldestReader").asInt();
        assertThat(oldestReader).isPositive().isLessThanOrEqualTo(version);
        assertThat(run("migrate", "--browsing").out())
                .startsWith("Schema is at version " + version + ", oldest reader " + oldestReader + "; ");
        assertThat(refrain("schema", "--dialect", "sqlite").out())
                .startsWith("-- Refrain's tables for sqlite: schema version " + version + ", oldest reader "
                        + oldestReader + ".");
        assertThat(run("keys", "list").exitCode()).isZero();

        execute("UPDATE refrain_meta SET version = 99 WHERE name = 'schema'");
        assertThat(run("migrate").out()).startsWith("Schema is at version 99, oldest reader " + oldestReader + ".");
        assertThat(run("keys", "list").exitCode()).isZero();
        execute("UPDATE refrain_meta SET oldest_reader = 99 WHERE name = 'schema'");
        assertThat(run("keys", "list").err()).contains("version 99").hasLineCount(1);
        assertThat(run("migrate").err()).contains("version 99").hasLineCount(1);
        execute("DROP TABLE refrain_meta");
        CommandResult missing = run("attention");
        assertThat(missing.exitCode()).isEqualTo(1);
        assertThat(missing.err())
                .contains("tables are missing", "`refrain migrate`")
                .hasLineCount(1);
    }

    @Test
    void unavailableStoreIsReportedInOneLine() {
        assertThat(refrain("attention", "--store", "jdbc:sqlite:" + directory.resolve("none.db"))
                        .err())
                .startsWith("refrain: File not found: ")
                .hasLineCount(1);
        CommandResult unreachable = refrain("attention", "--store", "jdbc:postgresql://localhost:1/none");
        assertThat(unreachable.exitCode()).isEqualTo(1);
        assertThat(unreachable.err())
                .contains(
                        "Cannot connect to jdbc:postgresql://localhost:1/none: no response. Check that the server is running")
                .hasLineCount(1);
        assertThat(refrain("attention", "--store", "jdbc:postgresql://nowhere.invalid/none")
                        .err())
                .contains("Cannot connect to jdbc:postgresql://nowhere.invalid/none: unknown host")
                .hasLineCount(1);
        assertThat(refrain("attention", "--store", "jdbc:sqlite:" + directory).err())
                .contains("is not a regular file: --store takes the database file")
                .hasLineCount(1);
        CommandResult noFolder = refrain("migrate", "--store", "jdbc:sqlite:" + directory.resolve("none/keys.db"));
        assertThat(noFolder.exitCode()).isEqualTo(1);
        assertThat(noFolder.err())
                .contains("check that it is a file, that its directory exists")
                .hasLineCount(1);
        assertThat(refrain("attention", "--store", "jdbc:oracle:thin:@x").err())
                .contains("is not a store URL")
                .hasLineCount(1);
        assertThat(refrain("attention", "--store", "jdbc:postgresql://h/d?user=a&password=secret")
                        .err())
                .contains("process list")
                .doesNotContain("secret");
    }

    @Test
    void missingDatabaseIsReported() {
        Assumptions.assumeTrue(kind == OperatorTestStore.POSTGRESQL, "a file lets everybody in who may read it");
        String other = url.replaceFirst("/[^/?]*(\\?|$)", "/no_such_database$1");
        assertThat(refrain("attention", "--store", other).err())
                .contains("The database does not exist: ")
                .hasLineCount(1);
    }

    @Test
    void resolveAsFailedStoresTheReasonAsAFailure() {
        var lost = inAttention("lost");
        String id = lost.id().toString();
        assertThat(run("keys", "resolve", "--id", id, "--failed", "--status", "200", "--reason", "x", "--yes")
                        .exitCode())
                .isEqualTo(2);
        assertThat(run("keys", "resolve", "--id", id, "--failed", "--reason", "nothing was printed", "--yes")
                        .exitCode())
                .isZero();

        var outcome = store.find(List.of(new ScopedKey("acme", "pay", "lost")))
                .getFirst()
                .orElseThrow()
                .outcome()
                .map(OutcomeFormat::decode)
                .orElseThrow();
        assertThat(StoredFailure.fromAnswer(outcome))
                .hasValueSatisfying(failure -> assertThat(failure.message()).isEqualTo("nothing was printed"));
    }

    @Test
    void resolveWithoutAResponseWarnsThatRetriesGetAnError() {
        String id = inAttention("bare").id().toString();
        CommandResult bare = run("keys", "resolve", "--id", id, "--reason", "x", "--yes", "--json");

        assertThat(bare.exitCode()).isZero();
        assertThat(bare.out()).contains("\"done\":\"completed\"").doesNotContain("Warning");
        assertThat(bare.err())
                .contains("completed without a response", "409 answer-not-kept", "for good")
                .hasLineCount(1);

        String answered = inAttention("answered").id().toString();
        assertThat(run("keys", "resolve", "--id", answered, "--status", "204", "--reason", "x", "--yes")
                        .err())
                .isEmpty();
    }

    @Test
    void resolveKeepsTheResponseForTheGivenRetention() {
        var done = inAttention("done");
        CommandResult wrong = resolve(done, "7 parsecs");
        assertThat(wrong.exitCode()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("--retention is '7 parsecs', but may be a time such as 24h or 7d, or for-ever.")
                .hasLineCount(1);
        assertThat(resolve(done, "0s").exitCode()).isEqualTo(2);

        assertThat(resolve(done, "for-ever").exitCode()).isZero();
        assertThat(expiry("done")).isEmpty();
        var week = inAttention("week");
        assertThat(resolve(week, "7d").exitCode()).isZero();
        assertThat(expiry("week").orElseThrow())
                .isBetween(Instant.now().plus(Duration.ofDays(6)), Instant.now().plus(Duration.ofDays(8)));
    }

    private CommandResult resolve(ClaimRef claim, String retention) {
        return run(
                "keys", "resolve", "--id", claim.id().toString(), "--retention", retention, "--reason", "x", "--yes");
    }

    private Optional<Instant> expiry(String key) {
        return store.recordBrowser()
                .find(new ScopedKey("acme", "pay", key))
                .orElseThrow()
                .times()
                .expires();
    }

    private CommandResult run(String... arguments) {
        return refrain(with(arguments, "--store", url));
    }

    private JsonNode json(String... arguments) {
        CommandResult ran = run(with(arguments, "--json"));
        assertThat(ran.err()).isEmpty();
        return JsonMapper.shared().readTree(ran.out());
    }

    private static String[] with(String[] arguments, String... more) {
        return Stream.concat(Stream.of(arguments), Stream.of(more)).toArray(String[]::new);
    }

    private ClaimRef claimed(String key) {
        var wish = ClaimRequest.of(
                        new ScopedKey("acme", "pay", key),
                        Fingerprint.stored("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                        ExecutionEnvironment.system().newNonce(),
                        Duration.ofMinutes(5),
                        LeaseExpiryPolicy.HOLD,
                        Retention.of(Duration.ofHours(24)))
                .withOrigin(new ClaimOrigin(
                        "POST /pay", Optional.of("alice"), Optional.of(new TraceId(1, 2)), "web-1", List.of("charge")));
        return ((ClaimResponse.Acquired) store.claim(List.of(wish)).getFirst())
                .record()
                .claim();
    }

    private ClaimRef completed(String key) {
        var claim = claimed(key);
        var answer = Outcome.Answer.of(201, "the body".getBytes(StandardCharsets.UTF_8));
        store.write(
                List.of(new RecordWrite.Complete(claim, Optional.of(OutcomeFormat.encode(answer)), Optional.empty())));
        return claim;
    }

    private ClaimRef inAttention(String key) {
        var claim = claimed(key);
        store.write(List.of(new RecordWrite.Escalate(claim, "nobody knows")));
        return claim;
    }

    private void execute(String sql) throws SQLException {
        try (var connection = OperatorTestStore.source(given).getConnection();
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
