package dev.refrain.trials.encryption;

import static dev.refrain.trials.encryption.PlantedWords.SCOPE;
import static dev.refrain.trials.encryption.PlantedWords.WHO;
import static dev.refrain.trials.encryption.PlantedWords.WHY;
import static dev.refrain.trials.encryption.PlantedWords.name;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.Outcome;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.LedgerEntryMapping;
import dev.refrain.flow.PhaseResult;
import dev.refrain.outbox.OutboxMessage;
import dev.refrain.reconcile.LedgerReader.LedgerPage;
import dev.refrain.reconcile.Reconciler;
import dev.refrain.reconcile.ReconcilerSettings;
import dev.refrain.store.RecordState;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import dev.refrain.store.outbox.MessageLabels;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Flows of a {@link PlantedShop}: finished, refused, with a lost reply, given up by the completer, compared with another system's ledger. */
record PlantedFlows(PlantedShop shop) {

    private static final String LEDGER = name("ledger");
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final CompleterSettings ONCE =
            new CompleterSettings(Duration.ofMillis(50), Duration.ZERO, Duration.ofMillis(10), 1, 4);

    private Flow<String, String, Connection> order() {
        return Flow.of(name("order"), String.class, String.class)
                .phase(name("begin"), (tx, at) -> {
                    shop.outbox()
                            .stage(
                                    tx,
                                    OutboxMessage.of(name("topic of a flow"), shop.secret("message"))
                                            .orderedBy(name("order key"))
                                            .labelled(MessageLabels.ofScope(SCOPE)
                                                    .withSubject(name("subject"))
                                                    .withReference(name("reference"))));
                    return PhaseResult.goTo(name("charge"), shop.secret("carried"));
                })
                .foreignCall(
                        name("charge"),
                        Downstream.notRetryable(),
                        LedgerEntryMapping.inLedger(LEDGER, at -> 700),
                        Duration.ofSeconds(10),
                        call -> {
                            if (call.request().contains("lost")) {
                                throw new IllegalStateException(shop.secret("lost reply"));
                            }
                            return shop.secret("call's answer");
                        },
                        (tx, at, answer) -> {
                            if (at.request().contains("broken")) {
                                throw new IllegalStateException(shop.secret("broken phase"));
                            }
                            if (at.request().contains("refused")) {
                                return PhaseResult.fail(
                                        403,
                                        List.of(new AnswerHeader("X-Why", shop.secret("refusal's header"))),
                                        shop.secret("refused principal"));
                            }
                            return PhaseResult.finish(
                                    201,
                                    List.of(new AnswerHeader("Location", shop.secret("location"))),
                                    shop.secret("receipt"));
                        })
                .build();
    }

    private Flow<String, String, Connection> failing() {
        return Flow.of(name("failing"), String.class, String.class)
                .phase(
                        name("first"),
                        (tx, at) -> PhaseResult.goTo(name("stands here"), shop.secret("carried and given up")))
                .phase(name("stands here"), (tx, at) -> {
                    throw new IllegalStateException(shop.secret("completer's failure"));
                })
                .build();
    }

    private FlowRequest<String> request(String how) {
        return FlowRequest.of(ClientKey.scope(SCOPE).key(name("flow " + how)), how + shop.secret("flow's request"))
                .withSubject(name("subject"))
                .withPrincipal(Map.of(shop.secret("principal's field"), shop.secret("principal")));
    }

    void run() throws Exception {
        shop.flows().run(order(), request("done"));
        for (String how : List.of("lost and resolved", "lost and released", "broken", "refused")) {
            assertThatThrownBy(() -> shop.flows().run(order(), request(how)));
        }
        assertThatThrownBy(() -> shop.flows().run(failing(), request("given up"), LEASE));
        try (var completer = shop.flows().startCompleter(ONCE, List.of(failing()))) {
            var identity = new ScopedKey(SCOPE, failing().namespace(), name("flow given up"));
            PlantedShop.await()
                    .until(() ->
                            shop.refrain().admin().find(identity).orElseThrow().state() == RecordState.ATTENTION);
        }
    }

    /** A difference of each way: an entry of theirs alone, one that is resolved by their ledger, one that is released. */
    void reconcile() throws Exception {
        var reconciler = Reconciler.on(shop.refrain(), shop.inner().ledger());
        var settings =
                new ReconcilerSettings(Duration.ZERO, Duration.ofHours(1), Duration.ofDays(3), Duration.ofDays(7), 50);
        assertThatThrownBy(() -> reconciler.reconcile(
                LEDGER,
                (since, cursor, limit) -> {
                    throw new IllegalStateException(shop.secret("ledger's failure"));
                },
                settings));
        compare(reconciler, settings, List.of());
        var happened = ofFlow(reconciler, "flow lost and resolved");
        var shown = List.of(
                new ReportedLedgerEntry(name("their id"), happened.key(), 700),
                new ReportedLedgerEntry(name("their other id"), name("their key"), 5));
        // An entry is a finding of the first pass in a later millisecond, which on SQLite may be the second one.
        PlantedShop.await().until(() -> {
            compare(reconciler, settings, shown);
            return reconciler.findings(LEDGER, 50).stream()
                    .anyMatch(finding -> finding.kind() == FindingKind.ONLY_THEIRS);
        });
        var resolved = ofFlow(reconciler, "flow lost and resolved");
        assertThat(reconciler.resolve(
                        resolved,
                        Outcome.Answer.of(
                                201, shop.secret("found in the ledger").getBytes(UTF_8)),
                        WHO,
                        WHY))
                .isTrue();
        assertThat(reconciler.release(ofFlow(reconciler, "flow lost and released"), WHO, WHY))
                .isTrue();
        var theirs = reconciler.findings(LEDGER, 50).stream()
                .filter(finding -> finding.kind() == FindingKind.ONLY_THEIRS)
                .findFirst()
                .orElseThrow();
        assertThat(reconciler.discard(theirs, WHO, WHY)).isTrue();
    }

    private static void compare(Reconciler reconciler, ReconcilerSettings settings, List<ReportedLedgerEntry> shown)
            throws Exception {
        reconciler.reconcile(LEDGER, (since, cursor, limit) -> new LedgerPage(shown, Optional.empty()), settings);
    }

    private static LedgerFinding ofFlow(Reconciler reconciler, String key) {
        return reconciler.findings(LEDGER, 50).stream()
                .filter(finding -> reconciler
                        .attentionItem(finding)
                        .filter(item -> item.identity().key().equals(name(key)))
                        .isPresent())
                .findFirst()
                .orElseThrow(() -> new AssertionError("no finding of " + key));
    }
}
