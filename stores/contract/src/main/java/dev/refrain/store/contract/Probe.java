package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.key.Identity;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Asks the store under test one thing at a time, and insists on the kind of answer. */
final class Probe {

    private final StoreHarness harness;
    private final Store store;

    Probe(StoreHarness harness, Store store) {
        this.harness = harness;
        this.store = store;
    }

    StoreHarness harness() {
        return harness;
    }

    Store store() {
        return store;
    }

    void letPass(Duration time) {
        harness.letPass(time);
    }

    ClaimAnswer claim(ClaimRequest request) {
        var answers = store.claim(List.of(request));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    StoredRecord acquired(ClaimRequest request) {
        return acquired(claim(request));
    }

    static StoredRecord acquired(ClaimAnswer answer) {
        return assertThat(answer)
                .asInstanceOf(type(ClaimAnswer.Acquired.class))
                .actual()
                .record();
    }

    StoredRecord found(ClaimRequest request) {
        return found(claim(request));
    }

    static StoredRecord found(ClaimAnswer answer) {
        return assertThat(answer)
                .asInstanceOf(type(ClaimAnswer.Found.class))
                .actual()
                .record();
    }

    WriteAnswer write(Write write) {
        var answers = store.write(List.of(write));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    void written(Write write) {
        assertThat(write(write)).isEqualTo(new WriteAnswer.Written());
    }

    Optional<StoredRecord> refused(Write write) {
        return refused(write(write));
    }

    static Optional<StoredRecord> refused(WriteAnswer answer) {
        return assertThat(answer)
                .asInstanceOf(type(WriteAnswer.Refused.class))
                .actual()
                .current();
    }

    Optional<StoredRecord> find(Identity identity) {
        var answers = store.find(List.of(identity));
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    /** What is there, and something must be. */
    StoredRecord seen(Identity identity) {
        var record = find(identity);
        assertThat(record).as("the record of %s", identity).isPresent();
        return record.orElseThrow();
    }

    StoredRecord seen(String key) {
        return seen(Samples.identity(key));
    }

    void absent(String key) {
        assertThat(find(Samples.identity(key))).isEmpty();
    }

    /** Claims and completes. */
    StoredRecord completed(ClaimRequest request, String outcome) {
        written(Samples.complete(acquired(request).claim(), outcome));
        return seen(request.identity());
    }

    /** Claims and releases. */
    StoredRecord released(ClaimRequest request) {
        written(new Write.Release(acquired(request).claim()));
        return seen(request.identity());
    }

    /** Claims, passes a phase and releases: half done. */
    StoredRecord halfDone(ClaimRequest request) {
        var claim = acquired(request).claim();
        written(Samples.checkpoint(claim, "charge_created", "charge 7"));
        written(new Write.Release(claim));
        return seen(request.identity());
    }

    /** Claims and escalates. */
    StoredRecord escalated(ClaimRequest request, String reason) {
        written(new Write.Escalate(acquired(request).claim(), reason));
        return seen(request.identity());
    }

    List<AttentionItem> attention() {
        return store.attention(Optional.empty(), 1_000);
    }

    void resolved(ClaimRef claim, Resolution.Verdict verdict) {
        assertThat(store.resolve(new Resolution(claim, verdict, "ann", "asked the bank")))
                .isEqualTo(new WriteAnswer.Written());
    }

    /** Nothing was changed since the record looked like this, its times included. */
    void untouched(Identity identity, StoredRecord before) {
        same(seen(identity), before);
    }

    static void same(StoredRecord now, StoredRecord before) {
        assertThat(timeless(now)).isEqualTo(timeless(before));
        if (before.state() == State.IN_PROGRESS) {
            assertThat(now.leaseLeft()).isBetween(before.leaseLeft().minus(Samples.SLACK), before.leaseLeft());
        }
        before.lifeLeft()
                .ifPresent(life -> assertThat(now.lifeLeft().orElseThrow()).isBetween(life.minus(Samples.SLACK), life));
    }

    private static StoredRecord timeless(StoredRecord record) {
        return new StoredRecord(
                record.lookup(),
                record.id(),
                record.fence(),
                record.owner(),
                record.state(),
                record.takeOver(),
                record.fingerprint(),
                record.recoveryPoint(),
                Duration.ZERO,
                record.lifeLeft().map(left -> Duration.ZERO),
                record.outcome(),
                record.request(),
                record.carried());
    }
}
