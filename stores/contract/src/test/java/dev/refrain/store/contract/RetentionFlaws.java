package dev.refrain.store.contract;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Wrong about what is kept, and for how long. */
final class RetentionFlaws {

    private RetentionFlaws() {}

    static final List<StoreFlaw> ALL = List.of(
            StoreFlaw.of(
                    "takes an empty outcome for none",
                    sound -> new ChangesOutcomes(sound, outcome -> outcome.filter(o -> o.size() > 0)),
                    "stateAloneIsNotAnEmptyOutcome",
                    "outcomeComesBackByteForByteOnEveryWayToIt"),
            StoreFlaw.of(
                    "takes no outcome for an empty one",
                    sound ->
                            new ChangesOutcomes(sound, outcome -> Optional.of(outcome.orElse(Payload.of(new byte[0])))),
                    "stateAloneIsNotAnEmptyOutcome"),
            StoreFlaw.of(
                    "keeps outcomes as text",
                    sound -> new ChangesOutcomes(sound, outcome -> outcome.map(RetentionFlaws::asText)),
                    "outcomeComesBackByteForByteOnEveryWayToIt"),
            StoreFlaw.of(
                    "replays after expiry",
                    ReplaysAfterExpiry::new,
                    "afterItsRetentionTheSameKeyIsANewRequestWithANewId"),
            StoreFlaw.of(
                    "forgets what is in attention",
                    ForgetsAttention::new,
                    "recordInAttentionDoesNotExpire",
                    "recordInAttentionIsNeverAcquiredHoweverLongItWaits"),
            StoreFlaw.of(
                    "forgets what is half done",
                    ForgetsHalfDone::new,
                    "halfDoneRecordDoesNotExpire",
                    "halfDoneRecordIsNeverDeletedHoweverOld",
                    "halfDoneFlowIsFoundHoweverLate"),
            StoreFlaw.of(
                    "leaves the time to live of a release where it was",
                    KeepsTimeToLive::new,
                    "recordThatWasReleasedAndClaimedAgainDoesNotExpire"),
            StoreFlaw.of(
                    "forgets at once what may run again",
                    ForgetsWhatMayRunAgain::new,
                    "recordResolvedToRunAgainIsKeptForAnHourEvenPastItsRetention"),
            StoreFlaw.of(
                    "keeps what was resolved as long as the record",
                    KeepsResolvedAsItWas::new,
                    "resolvedOutcomeMayBeKeptForEver",
                    "resolvedOutcomeMayBeKeptLongerCountedFromTheFirstClaim"),
            StoreFlaw.of(
                    "removes the key if completion comes late",
                    RemovesLateCompletions::new,
                    "outcomeIsKeptForAnHourAfterCompletionEvenPastItsRetention"),
            StoreFlaw.of(
                    "counts retention from completion",
                    CountsFromCompletion::new,
                    "retentionCountsFromTheFirstClaimNotFromTheLastNorFromCompletion"),
            StoreFlaw.of(
                    "begins a flow anew after a takeover",
                    ForgetsRecoveryPoints::new,
                    "takeoverGoesOnFromTheRecoveryPoint",
                    "releasedRecordGoesOnFromTheRecoveryPoint"),
            StoreFlaw.of(
                    "keeps the announced call of what may run again",
                    sound -> new ChangesVerdicts(sound, Resolution.RunAgain.class, new Resolution.Resume()),
                    "decisionToRunAgainWithdrawsTheAnnouncedCallAndOneToResumeKeepsIt"),
            StoreFlaw.of(
                    "withdraws the announced call of what is resumed",
                    sound -> new ChangesVerdicts(sound, Resolution.Resume.class, new Resolution.RunAgain()),
                    "decisionToRunAgainWithdrawsTheAnnouncedCallAndOneToResumeKeepsIt"),
            StoreFlaw.of(
                    "stores a request only with the first claim",
                    StoresOnlyTheFirstRequest::new,
                    "recordWithoutAStoredRequestTakesTheNextOne"),
            StoreFlaw.of(
                    "keeps the request of what is done",
                    KeepsRequests::new,
                    "completionDropsTheStoredRequestAndWhatWasCarried"));

    private static Payload asText(Payload payload) {
        return Payload.of(new String(payload.bytes(), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8));
    }

    private static final class ChangesOutcomes extends FlawedStore {
        private final UnaryOperator<Optional<Payload>> change;

        ChangesOutcomes(Store sound, UnaryOperator<Optional<Payload>> change) {
            super(sound);
            this.change = change;
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            return super.writeOne(
                    write instanceof RecordWrite.Complete c
                            ? new RecordWrite.Complete(c.claim(), change.apply(c.outcome()), c.retention())
                            : write);
        }
    }

    private static final class ReplaysAfterExpiry extends FlawedStore {
        private final Map<KeyHash, StoredRecord> done = new HashMap<>();

        ReplaysAfterExpiry(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            var known = done.get(request.lookup());
            return known == null ? super.claimOne(request) : new ClaimResponse.Found(known);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            if (record.state() == RecordState.COMPLETED) {
                done.put(record.lookup(), record);
            }
            return record;
        }
    }

    private static final class ForgetsAttention extends FlawedStore {
        ForgetsAttention(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            if (super.claimOne(request) instanceof ClaimResponse.Found found
                    && found.record().state() == RecordState.ATTENTION
                    && found.record()
                            .remainingLife()
                            .filter(left -> !left.isPositive())
                            .isPresent()) {
                sound.resolve(new Resolution(found.record().claim(), new Resolution.RunAgain(), "expiry", "too old"));
            }
            return super.claimOne(request);
        }
    }

    /** As if such a record were expired. */
    private abstract static class ForgettingStore extends FlawedStore {
        ForgettingStore(Store sound) {
            super(sound);
        }

        abstract boolean forgets(StoredRecord record);

        @Override
        public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
            return super.find(identities).stream()
                    .map(found -> found.filter(record -> !forgets(record)))
                    .toList();
        }

        @Override
        public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
            var taken = super.pollAbandoned(order);
            return new AbandonedRecordPage(
                    taken.abandoned().stream()
                            .filter(left ->
                                    find(List.of(left.identity())).getFirst().isPresent())
                            .toList(),
                    taken.toAttention(),
                    taken.more());
        }
    }

    private static final class ForgetsHalfDone extends ForgettingStore {
        ForgetsHalfDone(Store sound) {
            super(sound);
        }

        @Override
        boolean forgets(StoredRecord record) {
            return record.state() == RecordState.RELEASED
                    && record.remainingLife().filter(left -> !left.isPositive()).isPresent();
        }
    }

    /** As a database whose own expiry was set when the record was released, and not removed when it was claimed. */
    private static final class KeepsTimeToLive extends ForgettingStore {
        private final Set<KeyHash> released = new HashSet<>();

        KeepsTimeToLive(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            if (write instanceof RecordWrite.Release) {
                released.add(write.claim().lookup());
            }
            return super.writeOne(write);
        }

        @Override
        boolean forgets(StoredRecord record) {
            return released.contains(record.lookup())
                    && record.remainingLife().filter(left -> !left.isPositive()).isPresent();
        }
    }

    private static final class ForgetsWhatMayRunAgain extends ForgettingStore {
        private final Set<ClaimRef> decided = new HashSet<>();

        ForgetsWhatMayRunAgain(Store sound) {
            super(sound);
        }

        @Override
        public RecordWriteResponse resolve(Resolution resolution) {
            decided.add(resolution.claim());
            return super.resolve(resolution);
        }

        @Override
        boolean forgets(StoredRecord record) {
            return record.state() == RecordState.RELEASED
                    && record.remainingLife()
                            .filter(left -> left.compareTo(Retention.AFTER_COMPLETION) <= 0)
                            .isPresent()
                    && decided.contains(new ClaimRef(record.lookup(), record.id(), record.fence() - 1));
        }
    }

    private static final class ChangesVerdicts extends FlawedStore {
        private final Class<?> from;
        private final Resolution.Verdict to;

        ChangesVerdicts(Store sound, Class<?> from, Resolution.Verdict to) {
            super(sound);
            this.from = from;
            this.to = to;
        }

        @Override
        public RecordWriteResponse resolve(Resolution resolution) {
            return super.resolve(
                    from.isInstance(resolution.verdict())
                            ? new Resolution(resolution.claim(), to, resolution.who(), resolution.why())
                            : resolution);
        }
    }

    private static final class KeepsResolvedAsItWas extends FlawedStore {
        KeepsResolvedAsItWas(Store sound) {
            super(sound);
        }

        @Override
        public RecordWriteResponse resolve(Resolution resolution) {
            return super.resolve(
                    resolution.verdict() instanceof Resolution.Done done
                            ? new Resolution(
                                    resolution.claim(),
                                    new Resolution.Done(done.outcome().orElse(null)),
                                    resolution.who(),
                                    resolution.why())
                            : resolution);
        }
    }

    private static final class RemovesLateCompletions extends FlawedStore {
        RemovesLateCompletions(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var claim = write.claim();
            boolean late = sound.write(List.of(new RecordWrite.Release(new ClaimRef(claim.lookup(), claim.id(), -1))))
                                    .getFirst()
                            instanceof RecordWriteResponse.Refused refused
                    && refused.current()
                            .flatMap(StoredRecord::remainingLife)
                            .filter(left -> !left.isPositive())
                            .isPresent();
            return super.writeOne(
                    late && write instanceof RecordWrite.Complete ? new RecordWrite.Release(claim) : write);
        }
    }

    private static final class CountsFromCompletion extends FlawedStore {
        CountsFromCompletion(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            return super.writeOne(
                    write instanceof RecordWrite.Complete c
                            ? new RecordWrite.Complete(
                                    c.claim(),
                                    c.outcome(),
                                    Optional.of(Retention.of(StoreTestData.RETENTION.multipliedBy(2))))
                            : write);
        }
    }

    private static final class ForgetsRecoveryPoints extends FlawedStore {
        ForgetsRecoveryPoints(Store sound) {
            super(sound);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return record.fence() > 1 ? AlteredRecords.withoutRecoveryPoint(record) : record;
        }
    }

    private static final class StoresOnlyTheFirstRequest extends FlawedStore {
        StoresOnlyTheFirstRequest(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            boolean first = sound.find(List.of(request.identity())).getFirst().isEmpty();
            return super.claimOne(first ? request : request.withStoredRequest(null));
        }
    }

    private static final class KeepsRequests extends FlawedStore {
        private final Map<KeyHash, Optional<Payload>> requests = new HashMap<>();

        KeepsRequests(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            requests.putIfAbsent(request.lookup(), request.request());
            return super.claimOne(request);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return record.withPayloads(
                    record.outcome().orElse(null),
                    requests.getOrDefault(record.lookup(), record.request()).orElse(null),
                    record.carried().orElse(null));
        }
    }
}
