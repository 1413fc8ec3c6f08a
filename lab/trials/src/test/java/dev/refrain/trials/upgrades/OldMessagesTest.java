package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.FrozenShop.SCOPE;
import static dev.refrain.trials.upgrades.FrozenShop.order;
import static dev.refrain.trials.upgrades.ShopHistory.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.Outcome;
import dev.refrain.outbox.MessageDelivery;
import dev.refrain.outbox.Relay;
import dev.refrain.outbox.jobs.JobResult;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Messages, jobs, dead letters and findings of older versions are delivered or decided once. */
@ParameterizedClass
@MethodSource("dumps")
class OldMessagesTest extends OldDataTestBase {

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

        assertThat(shop.jobs.result(shop.invoicing(), ClientKey.scope(SCOPE).key("job-waiting")))
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
        assertThat(shop.jobs.result(shop.invoicing(), ClientKey.scope(SCOPE).key("job-done")))
                .isEqualTo(new JobResult.Done<>("invoice of order 1"));
        assertThat(shop.jobs.result(shop.printing(), ClientKey.scope(SCOPE).key("job-failed")))
                .isEqualTo(new JobResult.Failed<>("out of paper", true));
        assertThat(shop.jobs.result(shop.invoicing(), ClientKey.scope(SCOPE).key("job-waiting")))
                .isEqualTo(new JobResult.NotStarted<>());
    }

    @Test
    void deadLettersAreListedAndDecidedUpon() throws Exception {
        open(TEN_MINUTES);
        assertThat(dead())
                .extracting(
                        letter -> letter.id().toString(), DeadLetter::topic, DeadLetter::cause, OldMessagesTest::text)
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
        return shop.outbox.deadLetters(null, ALL);
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
        return shop.reconciler.findings("bank", ALL);
    }

    private LedgerFinding finding(String key) {
        return findings().stream()
                .filter(finding -> finding.key().equals(ordered(key)))
                .findFirst()
                .orElseThrow();
    }
}
