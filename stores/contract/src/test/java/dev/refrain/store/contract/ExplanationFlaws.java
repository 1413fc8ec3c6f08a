package dev.refrain.store.contract;

import dev.refrain.api.ScopedKey;
import dev.refrain.store.AnnouncedCall;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Wrong about what a record tells people. */
final class ExplanationFlaws {

    private ExplanationFlaws() {}

    static final List<StoreFlaw> ALL = List.of(
            StoreFlaw.of(
                    "forgets operations",
                    sound -> new Explains(sound, e -> with(e, Optional.empty(), e.age(), e.calls(), e.attempts())),
                    "recordExplainsWhereItComesFrom",
                    "recordInAttentionIsListedWithItsExplanation",
                    "recordMadeAnewExplainsItselfAnew"),
            StoreFlaw.of(
                    "understates ages",
                    sound -> new Explains(
                            sound, e -> with(e, e.operation(), e.age().dividedBy(2), e.calls(), e.attempts())),
                    "recordExplainsWhereItComesFrom",
                    "retryIsAnAttemptAndTheRecordKeepsItsOrigin"),
            StoreFlaw.of(
                    "derives keys from steps alone",
                    sound -> new Explains(
                            sound,
                            e -> with(
                                    e,
                                    e.operation(),
                                    e.age(),
                                    e.calls().stream()
                                            .map(c -> new AnnouncedCall(c.step(), c.step(), c.announcedAt()))
                                            .toList(),
                                    e.attempts())),
                    "recordExplainsWhereItComesFrom",
                    "announcedCallOfAFlowIsNamedWithItsKeyAndSinceWhen"),
            StoreFlaw.of(
                    "knows only the last attempt",
                    sound -> new Explains(
                            sound,
                            e -> with(
                                    e,
                                    e.operation(),
                                    e.age(),
                                    e.calls(),
                                    List.of(e.attempts().getLast()))),
                    "retryIsAnAttemptAndTheRecordKeepsItsOrigin",
                    "attemptWhoseLeaseEndedSaysSoWhoeverFindsIt",
                    "attemptThatWasDecidedAboutIsRemembered",
                    "firstAndTheLatestAttemptsAreKept"),
            StoreFlaw.of(
                    "forgets why attempts ended",
                    sound -> new Explains(
                            sound,
                            e -> with(
                                    e,
                                    e.operation(),
                                    e.age(),
                                    e.calls(),
                                    e.attempts().stream()
                                            .map(ExplanationFlaws::withoutReason)
                                            .toList())),
                    "firstAttemptRunsUntilItIsCompleted",
                    "attemptWhoseLeaseEndedSaysSoWhoeverFindsIt"),
            StoreFlaw.of(
                    "takes the origin of the last claim for the record's",
                    TakesTheLastOrigin::new,
                    "retryIsAnAttemptAndTheRecordKeepsItsOrigin"),
            StoreFlaw.of(
                    "ignores steps that are added",
                    IgnoresSteps::new,
                    "stepThatIsAddedDuringTheFirstRunIsNamedByItsRecord"),
            StoreFlaw.of(
                    "forgets that a call was announced",
                    ForgetsAnnouncements::new,
                    "announcedCallOfAFlowIsNamedWithItsKeyAndSinceWhen"));

    private static ClaimAttempt withoutReason(ClaimAttempt attempt) {
        return new ClaimAttempt(
                attempt.fence(),
                attempt.instance(),
                attempt.traceId(),
                attempt.began(),
                attempt.ended(),
                Optional.empty());
    }

    private static RecordExplanation with(
            RecordExplanation e,
            Optional<String> operation,
            Duration age,
            List<AnnouncedCall> calls,
            List<ClaimAttempt> attempts) {
        return new RecordExplanation(operation, e.caller(), e.traceId(), age, e.recoveryPoint(), calls, attempts);
    }

    private static class Explains extends FlawedStore {
        private final UnaryOperator<RecordExplanation> change;

        Explains(Store sound, UnaryOperator<RecordExplanation> change) {
            super(sound);
            this.change = change;
        }

        @Override
        public Optional<RecordExplanation> explain(ScopedKey identity) {
            return super.explain(identity).map(change);
        }

        @Override
        public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
            return super.listAttention(after, limit).stream()
                    .map(item -> new AttentionItem(
                            item.identity(),
                            item.claim(),
                            item.reason(),
                            item.since(),
                            item.age(),
                            change.apply(item.explanation())))
                    .toList();
        }
    }

    private static final class TakesTheLastOrigin extends FlawedStore {
        private Optional<String> last = Optional.empty();

        TakesTheLastOrigin(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            last = Optional.of(request.origin().operation());
            return super.claimOne(request);
        }

        @Override
        public Optional<RecordExplanation> explain(ScopedKey identity) {
            return super.explain(identity).map(e -> with(e, last, e.age(), e.calls(), e.attempts()));
        }
    }

    private static final class IgnoresSteps extends FlawedStore {
        IgnoresSteps(Store sound) {
            super(sound);
        }

        @Override
        public void addSteps(ClaimOrigin origin) {}
    }

    private static final class ForgetsAnnouncements extends FlawedStore {
        ForgetsAnnouncements(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            return super.writeOne(
                    write instanceof RecordWrite.Checkpoint w
                            ? new RecordWrite.Checkpoint(
                                    w.claim(), w.recoveryPoint().withoutCall(), w.carried(), w.lease())
                            : write);
        }
    }
}
