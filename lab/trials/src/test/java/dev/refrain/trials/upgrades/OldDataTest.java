package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.FrozenShop.BOOK;
import static dev.refrain.trials.upgrades.FrozenShop.SCOPE;
import static dev.refrain.trials.upgrades.FrozenShop.order;
import static dev.refrain.trials.upgrades.ShopHistory.call;
import static dev.refrain.trials.upgrades.ShopHistory.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.Downstream;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.saga.SagaResult;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.RecordState;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.SweepResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.trials.upgrades.FrozenShop.OrderReceipt;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What older versions wrote is opened by this one: nothing is lost, nothing runs twice, and every key is the one it was.
 *
 * <p>{@link ShopHistory} says what is in the data, and what was known of it then is among its facts. After loading, its times are moved so
 * that it was written ten minutes ago, unless a test says otherwise: leases of half a minute are over, those of hours live, and nothing has
 * expired.
 */
@ParameterizedClass
@MethodSource("dumps")
class OldDataTest {

    private static final Duration TEN_MINUTES = Duration.ofMinutes(10);
    private static final int ALL = 1_000;

    /** Where rows went of tables that a later version renamed or gave up: old name, then a query that counts them. Say why. */
    private static final Map<String, String> MOVED = Map.of();

    @Parameter
    OldDump dump;

    @TempDir
    Path directory;

    private final List<AutoCloseable> opened = new ArrayList<>();
    private EmptyDatabase database;
    private FrozenShop shop;
    private Map<String, String> facts;

    static List<OldDump> dumps() {
        return OldDump.all();
    }

    /** Data that was written that long ago. */
    private void open(Duration age) throws Exception {
        close();
        facts = dump.facts();
        database = EmptyDatabase.of(dump.dialect(), directory.resolve(age.toString()));
        opened.add(database);
        dump.load(database, age);
        shop = opened(FrozenShop.open(database));
    }

    private FrozenShop opened(FrozenShop another) {
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

    // Nothing is lost.

    @Test
    void nothingIsLostByOpening() throws Exception {
        open(TEN_MINUTES);
        requireEveryRow();
        requireEverythingAsItWas();
        requireCounted();
    }

    private void requireEveryRow() throws Exception {
        try (var connection = database.source().getConnection()) {
            for (var table : dump.rows().entrySet()) {
                String count = MOVED.getOrDefault(table.getKey(), "SELECT count(*) FROM " + table.getKey());
                assertThat(EmptyDatabase.number(connection, count))
                        .as(table.getKey())
                        .isEqualTo(table.getValue());
            }
        }
    }

    private void requireEverythingAsItWas() {
        var then = new TreeMap<>(facts);
        then.keySet().removeIf(name -> !name.startsWith("seen."));

        assertThat(StoreInventory.of(shop.store)).isEqualTo(then).hasSizeGreaterThan(70);
    }

    private void requireCounted() {
        var census = shop.refrain.admin().unsettledCounts();

        assertThat(census.inProgress()).isEqualTo(7);
        assertThat(census.leaseOver()).isEqualTo(5);
        assertThat(census.attention()).isEqualTo(7);
        assertThat(shop.store.countKeys(SCOPE, ALL)).isEqualTo(recordsSeen() - 2);
        // By its key: an id says when it was minted, and the times of the rows are shifted away from that.
        assertThat(shop.store.recordBrowser().find(new ScopedKey(SCOPE, "answers", "binary-200")))
                .isPresent();
        assertThat(shop.store
                        .recordBrowser()
                        .audit(shop.record("transferring", "resolved").id(), 10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.who()).isEqualTo("ann"));
        assertThat(shop.sagas.unfinished(shop.placing(), 10)).hasSize(4);
    }

    private long recordsSeen() {
        return facts.keySet().stream()
                .filter(name -> name.startsWith("seen.record."))
                .count();
    }

    // What is done is done.

    @Test
    void completedOutcomesAreReplayedByteForByte() throws Exception {
        open(TEN_MINUTES);
        requireAnswers();
        requireValues();
        requireEndings();
        requireEverythingAsItWas();
    }

    private void requireAnswers() {
        assertThat(replayed(shop.answers().runForResult(call("binary-200"), OldDataTest::never)))
                .isEqualTo(FrozenShop.binaryAnswer());
        assertThat(replayed(shop.answers().runForResult(call("empty-204"), OldDataTest::never)))
                .isEqualTo(Outcome.Answer.of(204, new byte[0]));
        assertThat(replayed(shop.answers().runForResult(call("declined-402"), OldDataTest::never)))
                .isEqualTo(Outcome.Answer.of(402, utf8("declined")));
        assertThat(replayed(shop.forADay().runForResult(call("for-a-day"), OldDataTest::never)))
                .isEqualTo(Outcome.Answer.of(200, utf8("today")));
        assertThat(replayed(shop.answers().runForResult(call("not-erased"), OldDataTest::never)))
                .isEqualTo(Outcome.Answer.of(200, utf8("of dora")));
        for (String key : List.of("binary-200", "empty-204", "declined-402")) {
            assertThat(shop.record("answers", key).id()).hasToString(fact(key + ".id"));
        }
    }

    private void requireValues() {
        assertThat(shop.receipts()
                        .<RuntimeException>run(
                                OperationCall.scope(SCOPE).key("typed-value").request(BOOK), OldDataTest::never))
                .isEqualTo(new OrderReceipt("order-7", "ch_7"));
        assertThat(shop.receipts()
                        .<RuntimeException>run(
                                OperationCall.scope(SCOPE).key("typed-nothing").request(BOOK), OldDataTest::never))
                .isNull();
        assertThat(shop.transacted()
                        .<RuntimeException>run(
                                OperationCall.scope(SCOPE).key("transacted").request(BOOK),
                                (claim, tx) -> never(claim)))
                .isEqualTo(new OrderReceipt("order-8", "ch_8"));
        assertThat(shop.transferring(TEN_MINUTES).<RuntimeException>run(call("resolved"), OldDataTest::never))
                .isEqualTo("the bank says yes");
    }

    /** Those without an answer, too. */
    private void requireEndings() {
        assertThatThrownBy(() -> shop.failures().run(call("kept-failure"), OldDataTest::never))
                .isInstanceOfSatisfying(ReplayedFailureException.class, failure -> {
                    assertThat(failure.type())
                            .isEqualTo(FrozenShop.ON_FIRE.getClass().getName());
                    assertThat(failure.originalMessage()).isEqualTo(FrozenShop.ON_FIRE.getMessage());
                });
        assertThatThrownBy(() -> shop.marks().run(call("state-only"), OldDataTest::never))
                .isInstanceOf(OutcomeNotKeptException.class);
    }

    @Test
    void anErasedRecordIsNeverRunAgainUnlessItNeverRan() throws Exception {
        open(TEN_MINUTES);
        assertThat(shop.answers()
                        .runForResult(
                                OperationCall.scope(SCOPE).key("erased").request("any request"), OldDataTest::never))
                .isInstanceOfSatisfying(OperationResult.Replayed.class, replayed -> {
                    assertThat(replayed.outcome()).isInstanceOf(Outcome.StateOnly.class);
                    assertThat(replayed.id()).hasToString(fact("erased.id"));
                });
        var ids = new ArrayList<String>();
        shop.answers()
                .runForResult(OperationCall.scope(SCOPE).key("erased-released").request("any request"), claim -> {
                    ids.add(claim.recordId().toString());
                    return Outcome.Answer.of(200, utf8("now"));
                });
        assertThat(ids).containsExactly(fact("erased-released.id"));
    }

    @Test
    void anotherRequestUnderAnOldKeyIsRefused() throws Exception {
        open(TEN_MINUTES);
        for (var key : List.of("binary-200", "empty-204", "not-erased")) {
            mismatched(shop.answers()
                    .runForResult(OperationCall.scope(SCOPE).key(key).request("another request"), OldDataTest::never));
        }
        for (var key : List.of("resume-over", "released", "live-lease", "swept")) {
            mismatched(shop.charging()
                    .runForResult(OperationCall.scope(SCOPE).key(key).request("another request"), OldDataTest::never));
        }
        for (var key : List.of("hold-over", "hold-retried", "let-run-again", "resolved")) {
            mismatched(shop.transferring(TEN_MINUTES)
                    .runForResult(OperationCall.scope(SCOPE).key(key).request("another request"), OldDataTest::never));
        }
        for (var key : List.of("at-start", "at-charged", "sent-arrived", "flow-done")) {
            mismatched(shop.flows.runForResult(
                    shop.honoured("orders.keys"), FlowRequest.of(SCOPE, key, new OrderRequest("book", 701))));
        }
        assertThatThrownBy(() -> shop.transacted()
                        .run(
                                OperationCall.scope(SCOPE).key("transacted").request(new OrderRequest("b", 1)),
                                (claim, tx) -> never(claim)))
                .isInstanceOf(RequestMismatchException.class);
        assertThat(shop.notes).isEmpty();
        assertThat(shop.bank.sent()).isEmpty();
        requireEverythingAsItWas();
    }

    @Test
    void requestsOverHttpAreComparedAsTheyWereThen() throws Exception {
        open(TEN_MINUTES);
        var answer = Outcome.Answer.of(201, utf8("posted"));
        for (String key : List.of("http-former", "http-hmac", "http-excluding", "http-selecting")) {
            for (String like : List.of(FrozenShop.POSTED, FrozenShop.POSTED_ALIKE)) {
                assertThat(replayed(posted(key, like, FrozenShop.hmac())))
                        .as(key)
                        .isEqualTo(answer);
            }
        }
        assertThat(replayed(posted("http-excluding", FrozenShop.POSTED_LATER, FrozenShop.hmac())))
                .isEqualTo(answer);
        assertThat(replayed(posted("http-selecting", FrozenShop.POSTED_LATER.replace("7", "8"), FrozenShop.hmac())))
                .isEqualTo(answer);
        mismatched(posted("http-selecting", FrozenShop.POSTED.replace("article", "title"), FrozenShop.hmac()));
        var form = OperationCall.scope(SCOPE).key("http-form").request(FrozenShop.form("a=1&b=%c3%bc"));
        assertThat(replayed(shop.http(FrozenShop.hmac()).runForResult(form, OldDataTest::never)))
                .isEqualTo(answer);
        mismatched(shop.http(FrozenShop.hmac())
                .runForResult(
                        OperationCall.scope(SCOPE).key("http-form").request(FrozenShop.form("a=1&b=u")),
                        OldDataTest::never));
        for (String key : List.of("http-former", "http-hmac")) {
            mismatched(posted(key, FrozenShop.POSTED_LATER, FrozenShop.hmac()));
        }
        mismatched(posted("http-excluding", FrozenShop.POSTED.replace("7.0", "7.1"), FrozenShop.excluding()));
    }

    private OperationResult posted(String key, String json, RequestFingerprinter fingerprinter) {
        return shop.http(fingerprinter)
                .runForResult(OperationCall.scope(SCOPE).key(key).request(FrozenShop.posted(json)), OldDataTest::never);
    }

    // What is not done goes on.

    @Test
    void workLeftUnderResumeRunsOnceUnderItsOldKey() throws Exception {
        open(TEN_MINUTES);
        for (String key : List.of("resume-over", "released", "swept")) {
            runsOnceAsBefore(shop.charging(), key);
        }
        runsOnceAsBefore(shop.transferring(TEN_MINUTES), "let-run-again");
    }

    private void runsOnceAsBefore(LeasedOperation<String> operation, String key) {
        var runs = new ArrayList<String>();
        for (int i = 0; i < 2; i++) {
            assertThat(operation.<RuntimeException>run(call(key), claim -> {
                        assertThat(claim.recordId()).hasToString(fact(key + ".id"));
                        assertThat(claim.isResumed()).isTrue();
                        runs.add(claim.derivedKey("charge"));
                        return "charged";
                    }))
                    .isEqualTo("charged");
        }
        assertThat(runs).containsExactly(fact(key + ".key.charge"));
    }

    @Test
    void workLeftUnderHoldIsNotRunUntilSomebodyDecides() throws Exception {
        open(TEN_MINUTES);
        var transferring = shop.transferring(TEN_MINUTES);
        for (String key : List.of("hold-over", "hold-retried", "hold-swept")) {
            undecided(transferring.runForResult(call(key), OldDataTest::never));
        }
        var operators = shop.refrain.admin();
        assertThat(operators.resolve(
                        waiting("hold-retried").claim(), Outcome.Answer.of(200, utf8("\"paid\"")), "ann", "it was"))
                .isTrue();
        assertThat(transferring.<RuntimeException>run(call("hold-retried"), OldDataTest::never))
                .isEqualTo("paid");
        assertThat(operators.release(waiting("hold-swept").claim(), "ann", "it was not"))
                .isTrue();
        runsOnceAsBefore(transferring, "hold-swept");
        undecided(transferring.runForResult(call("hold-over"), OldDataTest::never));
        assertThat(operators.listAuditTrail(2)).allMatch(entry -> entry.who().equals("ann"));
    }

    @Test
    void aLeaseThatLivesIsNotTakenOver() throws Exception {
        open(TEN_MINUTES);
        requireLeasesAlive();
        requireEverythingAsItWas();
    }

    private void requireLeasesAlive() {
        assertThat(shop.charging().runForResult(call("live-lease"), OldDataTest::never))
                .isInstanceOf(OperationResult.InProgress.class);
        assertThat(shop.transferring(TEN_MINUTES).runForResult(call("hold-live"), OldDataTest::never))
                .isInstanceOf(OperationResult.InProgress.class);
        assertThat(shop.record("charging", "live-lease").fence()).isEqualTo(1);
    }

    @Test
    void whatWasLeftIsSweptByItsOwnRule() throws Exception {
        open(TEN_MINUTES);
        assertThat(shop.store.sweep(Duration.ofMinutes(1), ALL)).isEqualTo(new SweepResult(4, 1, false));

        assertThat(waiting("hold-over").claim().id()).hasToString(fact("hold-over.id"));
        undecided(shop.transferring(TEN_MINUTES).runForResult(call("hold-over"), OldDataTest::never));
        runsOnceAsBefore(shop.charging(), "resume-over");
        requireLeasesAlive();
    }

    @Test
    void onlyWhatIsSettledIsReapedHoweverOldTheRest() throws Exception {
        open(Duration.ofDays(100));
        var expired = List.of(
                "for-a-day",
                "flow-done",
                "at-start",
                "blind-agreed",
                "blind-vanished",
                "blind-differs",
                "blind-twice",
                "job-done",
                "job-failed");
        var left = new TreeMap<>(facts);
        left.keySet().removeIf(name -> !name.startsWith("seen."));
        left.values().removeIf(line -> expired.stream().anyMatch(key -> line.contains("/" + key + " ")));

        assertThat(shop.store.reap(ALL)).isEqualTo(expired.size());

        assertThat(StoreInventory.of(shop.store)).isEqualTo(left);
        runsOnceAsBefore(shop.charging(), "resume-over");
        goesOn(shop.honoured("orders.keys"), "at-charged", List.of(), "orders.keys charged");
    }

    @Test
    void anExpiredKeyIsANewRequest() throws Exception {
        open(Duration.ofDays(2));

        assertThat(shop.forADay().runForResult(call("for-a-day"), claim -> Outcome.Answer.of(200, utf8("another day"))))
                .isInstanceOf(OperationResult.Ran.class);
        assertThat(replayed(shop.answers().runForResult(call("binary-200"), OldDataTest::never)))
                .isEqualTo(FrozenShop.binaryAnswer());
    }

    // Flows.

    @Test
    void aFlowGoesOnAtItsRecoveryPoint() throws Exception {
        open(TEN_MINUTES);
        var keys = shop.honoured("orders.keys");
        goesOn(keys, "at-charged", List.of(), "orders.keys charged");
        goesOn(keys, "sent-arrived", List.of(ordered("sent-arrived")), "orders.keys charged");
        goesOn(keys, "sent-lost", List.of(ordered("sent-lost")), "orders.keys charged");
        goesOn(keys, "not-sent", List.of(ordered("not-sent")), "orders.keys charged");
        goesOn(keys, "at-start", List.of(ordered("at-start")), "orders.keys started", "orders.keys charged");
        goesOn(shop.finishingFirst("orders.versions"), "version-kept", List.of(), "orders.versions charged");
        assertThat(shop.bank.asked()).isEmpty();
        goesOn(shop.askable(), "asked-arrived", List.of(), "orders.asked charged");
        assertThat(shop.bank.asked()).containsExactly(ordered("asked-arrived"));
        goesOn(shop.askable(), "asked-lost", List.of(ordered("asked-lost")), "orders.asked charged");
        assertThat(shop.bank.asked()).containsExactly(ordered("asked-arrived"), ordered("asked-lost"));
    }

    /** It does what is left, sends what is named, and answers the same ever after. */
    private void goesOn(Flow<OrderRequest, Object, Connection> flow, String key, List<String> sent, String... notes)
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

    @Test
    void aCallWhoseKeyMayBeForgottenIsNotSentAgain() throws Exception {
        open(Duration.ofHours(30));
        var keys = shop.honoured("orders.keys");

        undecided(shop.flows.runForResult(keys, order("sent-arrived")));
        undecided(shop.flows.runForResult(keys, order("sent-lost")));
        goesOn(keys, "at-charged", List.of(), "orders.keys charged");
        goesOn(keys, "not-sent", List.of(ordered("not-sent")), "orders.keys charged");
        assertThat(shop.bank.sent()).containsExactly(ordered("not-sent"));
    }

    @Test
    void flowsThatWaitForADecisionAreNotRun() throws Exception {
        open(TEN_MINUTES);
        undecided(shop.flows.runForResult(shop.blind(), order("blind-arrived")));
        undecided(shop.flows.runForResult(shop.blind(), order("blind-lost")));
        undecided(shop.flows.runForResult(shop.honoured("orders.worn"), order("worn-out")));
        undecided(shop.flows.runForResult(shop.secondVersion("orders.versions"), order("version-gone")));
        assertThat(shop.bank.sent()).isEmpty();
        assertThat(shop.notes).isEmpty();

        shop.refrain.admin().release(waiting("worn-out").claim(), "ann", "the bank is back");
        shop.refrain.admin().release(waiting("version-gone").claim(), "ann", "version 1 is back");
        goesOn(shop.honoured("orders.worn"), "worn-out", List.of(ordered("worn-out")), "orders.worn charged");
        goesOn(shop.honoured("orders.versions"), "version-gone", List.of(), "orders.versions charged");
    }

    @Test
    void whatItsCallerLeftIsFinishedOnceByACompleter() throws Exception {
        open(TEN_MINUTES);
        var left = shop.honoured("orders.left");
        var keys = List.of("taken-up", "left-at-call", "left-in-phase");
        try (var completer = shop.flows.startCompleter(completion(), List.of(left))) {
            await(() -> assertThat(keys)
                    .allMatch(key -> shop.record("orders.left", key).state().equals(RecordState.COMPLETED)));
        }

        assertThat(shop.events.stream()
                        .filter(RefrainEvent.CompletionAttempted.class::isInstance)
                        .map(RefrainEvent.CompletionAttempted.class::cast))
                .extracting(event -> event.id().toString(), RefrainEvent.CompletionAttempted::attempt)
                .containsExactlyInAnyOrder(
                        tuple(fact("taken-up.id"), 2),
                        tuple(fact("left-at-call.id"), 1),
                        tuple(fact("left-in-phase.id"), 1));
        assertThat(shop.bank.sent()).containsExactlyInAnyOrder(ordered("taken-up"), ordered("left-at-call"));
        assertThat(shop.notes).hasSize(3).containsOnly("orders.left charged order of a book for ann");
        for (String key : keys) {
            var answer = replayed(shop.flows.runForResult(left, order(key)));
            assertThat(text(answer)).contains("\"" + fact("bank." + ordered(key)) + "\"");
        }
    }

    private static CompleterSettings completion() {
        return new CompleterSettings(Duration.ofMillis(20), Duration.ofMinutes(1), Duration.ofHours(1), 10, 4);
    }

    // Sagas.

    @Test
    void aSagaGoesOnWhereItStood() throws Exception {
        open(TEN_MINUTES);
        assertThat(shop.sagas.runForResult(shop.placing(), order("saga-done")))
                .isInstanceOfSatisfying(
                        SagaResult.Completed.class,
                        done -> assertThat(done.result("ship", String.class)).isEqualTo("nr-1"));
        compensated(shop.sagas.runForResult(shop.placing(), order("saga-undone")), Map.of());

        assertThat(shop.sagas.runForResult(shop.placing(), order("saga-middle")))
                .isInstanceOfSatisfying(
                        SagaResult.Completed.class,
                        done -> assertThat(done.result("charge", String.class))
                                .isEqualTo(fact("bank." + fact("saga-middle.key.charge"))));

        assertThat(shop.carrier.asked()).containsExactly(fact("saga-middle.key.ship"));
        assertThat(shop.carrier.sent()).containsExactly(fact("saga-middle.key.ship"));
        assertThat(shop.bank.sent()).isEmpty();
        assertThat(shop.notes).isEmpty();
    }

    @Test
    void aSagaIsUndoneFromWhereItStood() throws Exception {
        open(TEN_MINUTES);
        var undoing = shop.sagas.runForResult(shop.placing(), order("saga-undoing"));
        assertThat(shop.bank.undone()).containsExactly(fact("saga-undoing.key.charge"));
        assertThat(shop.notes)
                .containsExactly(
                        "refund under " + fact("saga-undoing.key.undo.charge"),
                        "put back " + fact("saga-undoing.key.reserve"));
        var puttingBack = shop.sagas.runForResult(shop.placing(), order("saga-putting-back"));
        assertThat(shop.bank.undone()).hasSize(1);
        assertThat(shop.notes).hasSize(3).endsWith("put back " + fact("saga-putting-back.key.reserve"));

        for (var result : List.of(undoing, puttingBack)) {
            compensated(result, Map.of());
        }
        assertThat(shop.carrier.sent()).isEmpty();
        assertThat(shop.bank.sent()).isEmpty();
    }

    @Test
    void aStuckSagaIsRetriedWhenSomebodySaysSo() throws Exception {
        open(TEN_MINUTES);
        stuckSagaIsListed();
        shop.sagas.retry(shop.sagas.stuck(shop.placing(), 10).getFirst(), "ann", "the account is open");

        compensated(shop.sagas.runForResult(shop.placing(), order("saga-stuck")), Map.of());
        assertThat(shop.notes).containsExactly("refund under " + fact("saga-stuck.key.undo.charge"));
        assertThat(shop.bank.undone()).containsExactly(fact("saga-stuck.key.charge"));
    }

    @Test
    void aStuckSagaIsGivenUpWhenSomebodySaysSo() throws Exception {
        open(TEN_MINUTES);
        stuckSagaIsListed();
        shop.sagas.abandonCompensation(shop.sagas.stuck(shop.placing(), 10).getFirst(), "ann", "let it be");

        compensated(shop.sagas.runForResult(shop.placing(), order("saga-stuck")), Map.of("charge", DEAD_LINE));
        assertThat(shop.notes).isEmpty();
    }

    private static final String DEAD_LINE = "java.lang.IllegalStateException: The line is dead.";

    private void stuckSagaIsListed() throws Exception {
        assertThat(shop.sagas.runForResult(shop.placing(), order("saga-stuck"))).isInstanceOf(SagaResult.Stuck.class);
        assertThat(shop.sagas.stuck(shop.placing(), 10)).singleElement().satisfies(stuck -> {
            assertThat(stuck.result().failedCompensations()).isEqualTo(Map.of("charge", DEAD_LINE));
            assertThat(stuck.result().compensatedSteps()).containsExactly("reserve");
        });
        assertThat(shop.notes).isEmpty();
    }

    private static void compensated(SagaResult result, Map<String, String> givenUp) {
        assertThat(result).isInstanceOfSatisfying(SagaResult.Compensated.class, end -> {
            assertThat(end.failure().step()).isEqualTo("ship");
            assertThat(end.failure().reason()).isEqualTo("address unknown");
            assertThat(end.abandonedCompensations()).isEqualTo(givenUp);
        });
    }

    // The outbox.

    @Test
    void waitingMessagesAreDeliveredOnceUnderTheirOldKeys() throws Exception {
        open(TEN_MINUTES);
        requireJobResults();
        var receipts = new CopyOnWriteArrayList<String>();
        var notices = new CopyOnWriteArrayList<String>();
        var sent = new CopyOnWriteArrayList<String>();
        Downstream<MessageDelivery, Object> forADay = Downstream.honoursKeys(Duration.ofHours(24));
        var relaying = Relay.on(shop.refrain, shop.store.outbox())
                .handle("receipts", (tx, delivery) -> receipts.add(delivery.bodyText()))
                .sendTo("notices", forADay, delivery -> notices.add(delivery.bodyText()))
                .sendTo("letters", Downstream.notRetryable(), delivery -> sent.add("a letter a second time"));
        for (String topic : List.of("mails", "hooks", "again")) {
            relaying.sendTo(
                    topic,
                    forADay,
                    delivery -> sent.add(topic + " " + delivery.key() + " " + delivery.maybeDeliveredBefore() + " "
                            + delivery.attempt()));
        }
        try (var relay = shop.jobs.registerOn(relaying, shop.invoicing()).start()) {
            await(() -> assertThat(shop.store.outboxBrowser().topics(ALL)).allMatch(topic -> topic.waiting() == 0));
        }

        assertThat(shop.jobs.result(shop.invoicing(), SCOPE, "job-waiting"))
                .isEqualTo(new JobResult.Done<>("invoice of order 3"));
        assertThat(receipts).containsExactlyInAnyOrder("receipt one", "{\"order\":\"order-9\",\"charge\":\"ch_9\"}");
        assertThat(notices).containsExactly("notice 1", "notice 2", "notice 3");
        assertThat(sent)
                .containsExactlyInAnyOrder(
                        "mails " + fact("mails.key") + " true 2",
                        "hooks " + fact("hooks.key") + " true 2",
                        "again " + fact("again.key") + " true 1");
        assertThat(shop.notes).containsExactly("invoice order 3");
        assertThat(dead()).anySatisfy(letter -> {
            assertThat(letter.topic()).isEqualTo("letters");
            assertThat(letter.cause()).isEqualTo(Cause.UNKNOWN);
        });
    }

    private void requireJobResults() {
        assertThat(shop.jobs.result(shop.invoicing(), SCOPE, "job-done"))
                .isEqualTo(new JobResult.Done<>("invoice of order 1"));
        assertThat(shop.jobs.result(shop.printing(), SCOPE, "job-failed"))
                .isEqualTo(new JobResult.Failed<>("out of paper", true));
        assertThat(shop.jobs.result(shop.invoicing(), SCOPE, "job-waiting")).isEqualTo(new JobResult.NotStarted<>());
    }

    @Test
    void deadLettersAreListedAndDecidedUpon() throws Exception {
        open(TEN_MINUTES);
        assertThat(dead())
                .extracting(letter -> letter.id().toString(), DeadLetter::topic, DeadLetter::cause, OldDataTest::text)
                .containsExactly(
                        tuple(fact("refused.id"), "refused", Cause.REFUSED, "body of refused"),
                        tuple(fact("exhausted.id"), "exhausted", Cause.EXHAUSTED, "body of exhausted"),
                        tuple(fact("unknown.id"), "unknown", Cause.UNKNOWN, "body of unknown"));

        assertThat(shop.outbox.resend(dead("refused").id(), "ann", "they want it now"))
                .isTrue();
        assertThat(shop.outbox.resendAll("exhausted", Cause.EXHAUSTED, "ann", "mended"))
                .isEqualTo(1);
        assertThat(shop.outbox.discard(dead("unknown").id(), "ann", "it was there"))
                .isTrue();
        var sent = new CopyOnWriteArrayList<String>();
        var relaying = Relay.on(shop.refrain, shop.store.outbox());
        for (String topic : List.of("refused", "exhausted", "unknown")) {
            relaying.sendTo(
                    topic,
                    Downstream.<MessageDelivery, Object>honoursKeysForEver(),
                    delivery -> sent.add(topic + " " + delivery.key() + " " + delivery.maybeDeliveredBefore()));
        }
        try (var relay = relaying.start()) {
            await(() -> assertThat(sent).hasSize(2));
        }
        assertThat(sent)
                .containsExactlyInAnyOrder(
                        "refused " + fact("refused.key") + " false", "exhausted " + fact("exhausted.key") + " true");
        assertThat(dead()).isEmpty();
    }

    @Test
    void deliveredMessagesAreKeptForTheirTime() throws Exception {
        open(TEN_MINUTES);
        assertThat(shop.store.outbox().reap(ALL)).isZero();
        open(Duration.ofHours(2));
        assertThat(shop.store.outbox().reap(ALL)).isEqualTo(1);
    }

    private List<DeadLetter> dead() {
        return shop.outbox.deadLetters(Optional.empty(), ALL);
    }

    private DeadLetter dead(String topic) {
        return dead().stream()
                .filter(letter -> letter.topic().equals(topic))
                .findFirst()
                .orElseThrow();
    }

    private static String text(DeadLetter letter) {
        return new String(letter.payload().bytes(), StandardCharsets.UTF_8);
    }

    // Reconciliation.

    @Test
    void findingsAreNotFoundTwiceAndAreDecidedUpon() throws Exception {
        open(TEN_MINUTES);
        showLedger();

        var report = shop.reconciler.reconcile("bank", shop.bank, FrozenShop.AT_ONCE);

        assertThat(report.newFindings()).isEmpty();
        assertThat(report.closedFindings()).isZero();
        assertThat(findings())
                .hasSize(6)
                .allSatisfy(finding ->
                        assertThat(ShopHistory.finding(finding)).isEqualTo(fact("finding." + finding.key())));

        assertThat(shop.reconciler.resolve(
                        finding("blind-arrived"), Outcome.Answer.of(201, utf8("it went")), "ann", "the ledger"))
                .isTrue();
        assertThat(replayed(shop.flows.runForResult(shop.blind(), order("blind-arrived"))))
                .isEqualTo(Outcome.Answer.of(201, utf8("it went")));
        assertThat(shop.bank.sent()).isEmpty();

        assertThat(shop.reconciler.release(finding("blind-lost"), "ann", "the ledger"))
                .isTrue();
        goesOn(shop.blind(), "blind-lost", List.of(ordered("blind-lost")), "orders.blind charged");
        assertThat(shop.reconciler.discard(finding("blind-twice"), "ann", "taken back"))
                .isTrue();
        assertThat(findings()).hasSize(4);
    }

    /** As the bank showed it then. */
    private void showLedger() {
        shop.bank.show("tr_1", ordered("blind-agreed"), 700);
        shop.bank.show("tr_2", ordered("blind-differs"), 1);
        shop.bank.show("tr_3", ordered("blind-twice"), 700);
        shop.bank.show("tr_4", ordered("blind-twice"), 700);
        shop.bank.show("tr_5", ordered("blind-arrived"), 700);
        shop.bank.show("tr_6", "stranger", 5);
        shop.bank.show("tr_7", "known-stranger", 6);
    }

    private List<LedgerFinding> findings() {
        return shop.reconciler.findings("bank", Optional.empty(), ALL);
    }

    private LedgerFinding finding(String key) {
        return findings().stream()
                .filter(finding -> finding.key().equals(ordered(key)))
                .findFirst()
                .orElseThrow();
    }

    // Encryption.

    @Test
    void encryptedRowsAreReadWithTheRingThatKnowsBothSecrets() throws Exception {
        open(TEN_MINUTES);
        var sealed = opened(FrozenShop.encrypted(database, FrozenShop.newRing()));
        for (String age : List.of("old", "new")) {
            assertThat(replayed(sealed.answers().runForResult(call("sealed-" + age), OldDataTest::never)))
                    .isEqualTo(FrozenShop.binaryAnswer());
            assertThat(sealed.transacted()
                            .<RuntimeException>run(
                                    OperationCall.scope(SCOPE)
                                            .key("sealed-transacted-" + age)
                                            .request(BOOK),
                                    (claim, tx) -> never(claim)))
                    .isEqualTo(new OrderReceipt(age, "ch"));
        }
        assertThatThrownBy(() -> opened(FrozenShop.encrypted(database, FrozenShop.oldRing()))
                        .answers()
                        .runForResult(call("sealed-new"), OldDataTest::never))
                .isInstanceOf(RowRejectedException.class);

        var reading = opened(FrozenShop.encrypted(database, FrozenShop.newRing().readingPlain()));
        assertThat(replayed(reading.answers().runForResult(call("binary-200"), OldDataTest::never)))
                .isEqualTo(FrozenShop.binaryAnswer());
    }

    @Test
    void encryptedFlowsGoOnByRetryAndByCompleter() throws Exception {
        open(TEN_MINUTES);
        var sealed = opened(FrozenShop.encrypted(database, FrozenShop.newRing()));
        var flow = sealed.honoured("orders.sealed");
        var ran = (OperationResult.Ran) sealed.flows.runForResult(flow, order("sealed-flow-old"));
        try (var completer = sealed.flows.startCompleter(completion(), List.of(flow))) {
            await(() -> assertThat(
                            sealed.record("orders.sealed", "sealed-flow-new").state())
                    .isEqualTo(RecordState.COMPLETED));
        }

        assertThat(text(ran.answer())).contains("\"" + fact("sealed.charge.old") + "\"");
        assertThat(text(replayed(sealed.flows.runForResult(flow, order("sealed-flow-new")))))
                .contains("\"" + fact("sealed.charge.new") + "\"");
        assertThat(sealed.bank.sent()).isEmpty();
        assertThat(sealed.notes).hasSize(2).containsOnly("orders.sealed charged order of a book for ann");
        assertThat(shop.record("orders.sealed", "sealed-flow-old").id()).hasToString(fact("sealed-flow-old.id"));
    }

    // Common.

    private String fact(String name) {
        return Optional.ofNullable(facts.get(name)).orElseThrow(() -> new AssertionError("No fact " + name));
    }

    private String ordered(String key) {
        return fact(key + ".key.ordered");
    }

    private AttentionItem waiting(String key) {
        return shop.refrain.admin().listAttention(ALL).stream()
                .filter(item -> item.identity().key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private static <T> T never(Object claim) {
        throw new AssertionError("It ran again.");
    }

    private static Outcome.Answer replayed(OperationResult result) {
        assertThat(result).isInstanceOf(OperationResult.Replayed.class);
        return (Outcome.Answer) ((OperationResult.Replayed) result).outcome();
    }

    private static void mismatched(OperationResult result) {
        assertThat(result).isInstanceOf(OperationResult.Mismatch.class);
    }

    private static void undecided(OperationResult result) {
        assertThat(result).isInstanceOf(OperationResult.Attention.class);
    }

    private static String text(Outcome.Answer answer) {
        return new String(answer.body().bytes(), StandardCharsets.UTF_8);
    }

    private static void await(ThrowingRunnable seen) {
        Awaitility.await()
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .atMost(Duration.ofMinutes(1))
                .untilAsserted(seen);
    }
}
