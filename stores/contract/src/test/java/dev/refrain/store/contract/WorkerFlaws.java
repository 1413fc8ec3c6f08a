package dev.refrain.store.contract;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AbandonedRecord;
import dev.refrain.store.AbandonedRecordPage;
import dev.refrain.store.AbandonedRecordSearch;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.SweepResult;
import dev.refrain.store.UnsettledCounts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Wrong about what workers and people may touch. */
final class WorkerFlaws {

    private WorkerFlaws() {}

    static final List<StoreFlaw> ALL = List.of(
            StoreFlaw.of("reaps unfinished work", ReapsUnfinished::new, "unfinishedWorkIsNeverDeletedHoweverOld"),
            StoreFlaw.of(
                    "reaps by the age of a key",
                    ReapsByKey::new,
                    "recordMadeAnewAfterExpiryIsNotDeletedForTheOldOnesAge",
                    "reaperNeverDeletesWhatWasJustClaimedAnew"),
            StoreFlaw.of(
                    "sweeps what is alive",
                    sound -> new SweepsAfter(sound, Duration.ofDays(-1)),
                    "claimWhoseLeaseIsAliveIsLeftAlone",
                    "claimThatWasRenewedIsLeftAlone"),
            StoreFlaw.of(
                    "believes a sweep of a clock that was ahead",
                    SweepsNothingTwice::new,
                    "recordIsNoYoungerThanItIsAfterAClockWasAhead",
                    "claimTakenOverAfterAClockWasAheadHasNoMoreLifeThanItHas",
                    "claimAbandonedAfterAClockWasAheadIsFound",
                    "claimAbandonedAfterAClockWasAheadIsFoundOnceThatMomentIsPastToo"),
            StoreFlaw.of("sweeps without grace", sound -> new SweepsAfter(sound, Duration.ZERO), "graceIsWaitedOut"),
            StoreFlaw.of(
                    "takes up what was just left",
                    sound -> new TakesUpBy(sound, o -> order(o, Duration.ZERO, o.maxAttempts())),
                    "abandonedFlowIsFoundOnceItsLeaseIsOverForLongEnough"),
            StoreFlaw.of(
                    "never gives up",
                    sound -> new TakesUpBy(sound, o -> order(o, o.gracePeriod(), 1_000)),
                    "afterTheLastAttemptAPersonHasToLook"),
            StoreFlaw.of(
                    "takes up what others do",
                    sound -> new TakesUpBy(
                            sound,
                            o -> new AbandonedRecordSearch(
                                    StoreTestData.NAMESPACE,
                                    o.gracePeriod(),
                                    o.firstBackoff(),
                                    o.maxAttempts(),
                                    o.limit())),
                    "flowOfAnotherNamespaceIsLeftAlone"),
            StoreFlaw.of("counts what never began", CountsWhatNeverBegan::new, "attemptThatNeverBeganIsTakenBack"),
            StoreFlaw.of(
                    "takes back a later attempt",
                    TakesBackALaterAttempt::new,
                    "attemptThatWasCountedAgainIsNotTakenBack"),
            StoreFlaw.of("takes up twice", TakesUpTwice::new, "abandonedFlowIsFoundByOneCompleterOnly"),
            StoreFlaw.of(
                    "settles while looking", SettlesWhileLooking::new, "lookingAtAClaimWhoseLeaseIsOverSettlesNothing"),
            StoreFlaw.of(
                    "resolves under the same fence",
                    ResolvesUnderTheSameFence::new,
                    "recordThatTookEffectIsCompletedWithItsOutcomeUnderTheNextFence",
                    "recordResolvedToRunAgainIsReleasedUnderTheNextFenceAndKeepsItsId",
                    "lateRunnerWritesNothingAfterItWasDecidedToRunAgain"),
            StoreFlaw.of("resolves what runs", ResolvesWhatRuns::new, "onlyWhatIsInAttentionIsResolved"),
            StoreFlaw.of("pages by time alone", PagesByTimeAlone::new, "pagesFollowOneAnotherWithoutGapOrRepetition"),
            StoreFlaw.of(
                    "audits nothing",
                    AuditsNothing::new,
                    "everyResolutionIsAuditedNewestFirstWithWhoAndWhy",
                    "erasureIsAuditedWithWhoAndWhyButNotWithWhatWasErased"),
            StoreFlaw.of("erases what is in use", ErasesWhatIsInUse::new, "recordInUseIsLeftAloneAndCounted"),
            StoreFlaw.of(
                    "counts neighbours too", CountsNeighbours::new, "scopesThatLieSideBySideAreCountedAndErasedApart"),
            StoreFlaw.of(
                    "looks at everything to count it",
                    LooksAtEverything::new,
                    "noMoreIsLookedAtThanIsAskedFor",
                    "noMoreInAttentionAreLookedAtThanIsAskedFor"));

    private static AbandonedRecordSearch order(AbandonedRecordSearch order, Duration grace, int attempts) {
        return new AbandonedRecordSearch(order.namespace(), grace, order.firstBackoff(), attempts, order.limit());
    }

    /** Looks for abandoned work by another order than was given. */
    private static final class TakesUpBy extends FlawedStore {
        private final UnaryOperator<AbandonedRecordSearch> other;

        TakesUpBy(Store sound, UnaryOperator<AbandonedRecordSearch> other) {
            super(sound);
            this.other = other;
        }

        @Override
        public AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
            return super.pollAbandoned(other.apply(order));
        }
    }

    private static final class CountsWhatNeverBegan extends FlawedStore {
        CountsWhatNeverBegan(Store sound) {
            super(sound);
        }

        @Override
        public void uncountAttempt(AbandonedRecord unattempted) {}
    }

    private static final class TakesBackALaterAttempt extends FlawedStore {
        TakesBackALaterAttempt(Store sound) {
            super(sound);
        }

        @Override
        public void uncountAttempt(AbandonedRecord one) {
            super.uncountAttempt(new AbandonedRecord(one.identity(), one.id(), one.fingerprint(), one.attempt() + 1));
            super.uncountAttempt(one);
        }
    }

    /** Gives what it gave before as well. */
    private static final class TakesUpTwice extends FlawedStore {
        private final List<AbandonedRecord> found = new ArrayList<>();

        TakesUpTwice(Store sound) {
            super(sound);
        }

        @Override
        public synchronized AbandonedRecordPage pollAbandoned(AbandonedRecordSearch order) {
            var taken = super.pollAbandoned(order);
            found.addAll(taken.abandoned());
            return new AbandonedRecordPage(List.copyOf(found), taken.toAttention(), taken.more(), taken.escalated());
        }
    }

    /** Knows the last claim of each record that was asked for. */
    private abstract static class ClaimTrackingStore extends FlawedStore {
        final Map<KeyHash, ScopedKey> asked = new HashMap<>();

        ClaimTrackingStore(Store sound) {
            super(sound);
        }

        @Override
        synchronized ClaimResponse claimOne(ClaimRequest request) {
            asked.put(request.lookup(), request.identity());
            return super.claimOne(request);
        }

        synchronized List<StoredRecord> records() {
            return asked.values().stream()
                    .flatMap(identity -> sound.find(List.of(identity)).getFirst().stream())
                    .toList();
        }
    }

    private static final class ReapsUnfinished extends ClaimTrackingStore {
        ReapsUnfinished(Store sound) {
            super(sound);
        }

        @Override
        public int reap(int limit) {
            for (var record : records()) {
                if (record.state() == RecordState.ATTENTION) {
                    sound.resolve(new Resolution(record.claim(), new Resolution.RunAgain(), "reaper", "too old"));
                } else if (record.remainingLife()
                        .filter(left -> !left.isPositive())
                        .isPresent()) {
                    writeOne(new RecordWrite.Release(record.claim()));
                }
            }
            return super.reap(limit);
        }
    }

    /** Hides what has the key of a record that once expired: as if its row had been deleted by key. */
    private static final class ReapsByKey extends ClaimTrackingStore {
        private final Set<KeyHash> completed = new HashSet<>();
        private final Set<KeyHash> gone = new HashSet<>();

        ReapsByKey(Store sound) {
            super(sound);
        }

        @Override
        synchronized RecordWriteResponse writeOne(RecordWrite write) {
            if (write instanceof RecordWrite.Complete) {
                completed.add(write.claim().lookup());
            }
            return super.writeOne(write);
        }

        @Override
        public synchronized int reap(int limit) {
            records().stream()
                    .map(StoredRecord::lookup)
                    .filter(completed::contains)
                    .forEach(gone::add);
            return super.reap(limit);
        }

        @Override
        public synchronized List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
            return super.find(identities).stream()
                    .map(found -> found.filter(record -> !gone.contains(record.lookup())))
                    .toList();
        }
    }

    private static final class SweepsAfter extends FlawedStore {
        private final Duration grace;

        SweepsAfter(Store sound, Duration grace) {
            super(sound);
            this.grace = grace;
        }

        @Override
        public SweepResult sweep(Duration asked, int limit) {
            return super.sweep(grace, limit);
        }
    }

    /** Keeps a mark of its last sweep, ahead of everything. */
    private static final class SweepsNothingTwice extends FlawedStore {
        private boolean swept;

        SweepsNothingTwice(Store sound) {
            super(sound);
        }

        @Override
        public SweepResult sweep(Duration grace, int limit) {
            var result = swept ? new SweepResult(0, 0, false) : super.sweep(grace, limit);
            swept = true;
            return result;
        }
    }

    private static final class SettlesWhileLooking extends FlawedStore {
        SettlesWhileLooking(Store sound) {
            super(sound);
        }

        @Override
        public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
            sound.sweep(Duration.ZERO, 100);
            return super.find(identities);
        }
    }

    /** The sound store counts a fence for each resolution; this one takes it off again on the way out and in. */
    private static final class ResolvesUnderTheSameFence extends FlawedStore {
        private final Map<KeyHash, Long> resolved = new HashMap<>();

        ResolvesUnderTheSameFence(Store sound) {
            super(sound);
        }

        @Override
        public RecordWriteResponse resolve(Resolution resolution) {
            var answer = super.resolve(resolution);
            if (answer instanceof RecordWriteResponse.Written) {
                resolved.merge(resolution.claim().lookup(), 1L, Long::sum);
            }
            return answer;
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var claim = write.claim();
            long extra = resolved.getOrDefault(claim.lookup(), 0L);
            return extra == 0 || !(write instanceof RecordWrite.Release)
                    ? super.writeOne(write)
                    : super.writeOne(
                            new RecordWrite.Release(new ClaimRef(claim.lookup(), claim.id(), claim.fence() + extra)));
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return AlteredRecords.as(record, record.id(), record.fence() - resolved.getOrDefault(record.lookup(), 0L));
        }
    }

    private static final class ResolvesWhatRuns extends FlawedStore {
        ResolvesWhatRuns(Store sound) {
            super(sound);
        }

        @Override
        public RecordWriteResponse resolve(Resolution resolution) {
            writeOne(new RecordWrite.Escalate(resolution.claim(), "to be resolved"));
            return super.resolve(resolution);
        }
    }

    private static final class PagesByTimeAlone extends FlawedStore {
        PagesByTimeAlone(Store sound) {
            super(sound);
        }

        @Override
        public List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit) {
            return super.listAttention(null, Integer.MAX_VALUE).stream()
                    .filter(item -> after == null || item.since().isAfter(after.since()))
                    .limit(limit)
                    .toList();
        }
    }

    private static final class AuditsNothing extends FlawedStore {
        AuditsNothing(Store sound) {
            super(sound);
        }

        @Override
        public List<AuditEntry> listAuditTrail(int limit) {
            return List.of();
        }
    }

    private static final class ErasesWhatIsInUse extends FlawedStore {
        private boolean erased;

        ErasesWhatIsInUse(Store sound) {
            super(sound);
        }

        @Override
        public ErasureResult erase(ErasureRequest order) {
            erased = true;
            return super.erase(order);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return erased ? AlteredRecords.bare(record) : record;
        }
    }

    private static final class LooksAtEverything extends FlawedStore {
        LooksAtEverything(Store sound) {
            super(sound);
        }

        @Override
        public UnsettledCounts countUnsettled(int limit) {
            return super.countUnsettled(Integer.MAX_VALUE);
        }
    }

    private static final class CountsNeighbours extends FlawedStore {
        CountsNeighbours(Store sound) {
            super(sound);
        }

        @Override
        public long countKeys(String scope, long upTo) {
            return StoreTestData.NEIGHBOURS.contains(scope)
                    ? StoreTestData.NEIGHBOURS.stream()
                            .mapToLong(neighbour -> super.countKeys(neighbour, upTo))
                            .sum()
                    : super.countKeys(scope, upTo);
        }
    }
}
