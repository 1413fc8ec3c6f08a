package dev.refrain.store.contract;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.store.Abandoned;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.Census;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Erased;
import dev.refrain.store.ErasureOrder;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Swept;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Wrong about what workers and people may touch. */
final class WorkerFlaws {

    private WorkerFlaws() {}

    static final List<Flaw> ALL = List.of(
            Flaw.of("reaps unfinished work", ReapsUnfinished::new, "unfinishedWorkIsNeverDeletedHoweverOld"),
            Flaw.of(
                    "reaps by the age of a key",
                    ReapsByKey::new,
                    "aRecordMadeAnewAfterExpiryIsNotDeletedForTheOldOnesAge",
                    "aReaperNeverDeletesWhatWasJustClaimedAnew"),
            Flaw.of(
                    "sweeps what is alive",
                    sound -> new SweepsAfter(sound, Duration.ofDays(-1)),
                    "aClaimWhoseLeaseIsAliveIsLeftAlone",
                    "aClaimThatWasRenewedIsLeftAlone"),
            Flaw.of("sweeps without grace", sound -> new SweepsAfter(sound, Duration.ZERO), "theGraceIsWaitedOut"),
            Flaw.of(
                    "takes up what was just left",
                    sound -> new TakesUpBy(sound, o -> order(o, Duration.ZERO, o.maxAttempts())),
                    "whatNobodyRunsIsFoundOnceItsLeaseIsOverForLongEnough"),
            Flaw.of(
                    "never gives up",
                    sound -> new TakesUpBy(sound, o -> order(o, o.gracePeriod(), 1_000)),
                    "afterTheLastAttemptAPersonHasToLook"),
            Flaw.of(
                    "takes up what others do",
                    sound -> new TakesUpBy(
                            sound, o -> new TakeUp(Samples.NAMESPACE, o.gracePeriod(), o.firstBackoff(), o.maxAttempts(), o.limit())),
                    "whatOthersKnowHowToDoIsLeftToThem"),
            Flaw.of("takes up twice", TakesUpTwice::new, "ofManyWhoLookOneFindsIt"),
            Flaw.of("settles while looking", SettlesWhileLooking::new, "lookingAtAClaimWhoseLeaseIsOverSettlesNothing"),
            Flaw.of(
                    "resolves under the same fence",
                    ResolvesUnderTheSameFence::new,
                    "whatTookEffectIsCompletedWithItsOutcomeUnderTheNextFence",
                    "whatMayRunAgainIsReleasedUnderTheNextFenceAndKeepsItsId",
                    "aLateRunnerWritesNothingAfterItWasDecidedToRunAgain"),
            Flaw.of("resolves what runs", ResolvesWhatRuns::new, "onlyWhatIsInAttentionIsResolved"),
            Flaw.of("pages by time alone", PagesByTimeAlone::new, "pagesFollowOneAnotherWithoutGapOrRepetition"),
            Flaw.of(
                    "audits nothing",
                    AuditsNothing::new,
                    "everyResolutionIsAuditedNewestFirstWithWhoAndWhy",
                    "anErasureIsAuditedWithWhoAndWhyButNotWithWhatWasErased"),
            Flaw.of("erases what is in use", ErasesWhatIsInUse::new, "whatIsInUseIsLeftAloneAndCounted"),
            Flaw.of("counts neighbours too", CountsNeighbours::new, "scopesThatLieSideBySideAreCountedAndErasedApart"),
            Flaw.of(
                    "looks at everything to count it",
                    LooksAtEverything::new,
                    "noMoreIsLookedAtThanIsAskedFor",
                    "noMoreInAttentionAreLookedAtThanIsAskedFor"));

    private static TakeUp order(TakeUp order, Duration grace, int attempts) {
        return new TakeUp(order.namespace(), grace, order.firstBackoff(), attempts, order.limit());
    }

    /** Looks for abandoned work by another order than was given. */
    private static final class TakesUpBy extends FlawedStore {
        private final UnaryOperator<TakeUp> other;

        TakesUpBy(Store sound, UnaryOperator<TakeUp> other) {
            super(sound);
            this.other = other;
        }

        @Override
        public TakenUp pollAbandoned(TakeUp order) {
            return super.pollAbandoned(other.apply(order));
        }
    }

    /** Gives what it gave before as well. */
    private static final class TakesUpTwice extends FlawedStore {
        private final List<Abandoned> found = new ArrayList<>();

        TakesUpTwice(Store sound) {
            super(sound);
        }

        @Override
        public synchronized TakenUp pollAbandoned(TakeUp order) {
            var taken = super.pollAbandoned(order);
            found.addAll(taken.abandoned());
            return new TakenUp(List.copyOf(found), taken.toAttention(), taken.more());
        }
    }

    /** Knows the last claim of each record that was asked for. */
    private abstract static class Remembering extends FlawedStore {
        final Map<Lookup, Identity> asked = new HashMap<>();

        Remembering(Store sound) {
            super(sound);
        }

        @Override
        synchronized ClaimAnswer claimOne(ClaimRequest request) {
            asked.put(request.lookup(), request.identity());
            return super.claimOne(request);
        }

        synchronized List<StoredRecord> records() {
            return asked.values().stream()
                    .flatMap(identity -> sound.find(List.of(identity)).getFirst().stream())
                    .toList();
        }
    }

    private static final class ReapsUnfinished extends Remembering {
        ReapsUnfinished(Store sound) {
            super(sound);
        }

        @Override
        public int reap(int limit) {
            for (var record : records()) {
                if (record.state() == State.ATTENTION) {
                    sound.resolve(new Resolution(record.claim(), new Resolution.RunAgain(), "reaper", "too old"));
                } else if (record.remainingLife().filter(left -> !left.isPositive()).isPresent()) {
                    writeOne(new Write.Release(record.claim()));
                }
            }
            return super.reap(limit);
        }
    }

    /** Hides what has the key of a record that once expired: as if its row had been deleted by key. */
    private static final class ReapsByKey extends Remembering {
        private final Set<Lookup> completed = new HashSet<>();
        private final Set<Lookup> gone = new HashSet<>();

        ReapsByKey(Store sound) {
            super(sound);
        }

        @Override
        synchronized WriteAnswer writeOne(Write write) {
            if (write instanceof Write.Complete) {
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
        public synchronized List<Optional<StoredRecord>> find(List<Identity> identities) {
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
        public Swept sweep(Duration asked, int limit) {
            return super.sweep(grace, limit);
        }
    }

    private static final class SettlesWhileLooking extends FlawedStore {
        SettlesWhileLooking(Store sound) {
            super(sound);
        }

        @Override
        public List<Optional<StoredRecord>> find(List<Identity> identities) {
            sound.sweep(Duration.ZERO, 100);
            return super.find(identities);
        }
    }

    /** The sound store counts a fence for each resolution; this one takes it off again on the way out and in. */
    private static final class ResolvesUnderTheSameFence extends FlawedStore {
        private final Map<Lookup, Long> resolved = new HashMap<>();

        ResolvesUnderTheSameFence(Store sound) {
            super(sound);
        }

        @Override
        public WriteAnswer resolve(Resolution resolution) {
            var answer = super.resolve(resolution);
            if (answer instanceof WriteAnswer.Written) {
                resolved.merge(resolution.claim().lookup(), 1L, Long::sum);
            }
            return answer;
        }

        @Override
        WriteAnswer writeOne(Write write) {
            var claim = write.claim();
            long extra = resolved.getOrDefault(claim.lookup(), 0L);
            return extra == 0 || !(write instanceof Write.Release)
                    ? super.writeOne(write)
                    : super.writeOne(
                            new Write.Release(new ClaimRef(claim.lookup(), claim.id(), claim.fence() + extra)));
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return Shown.as(record, record.id(), record.fence() - resolved.getOrDefault(record.lookup(), 0L));
        }
    }

    private static final class ResolvesWhatRuns extends FlawedStore {
        ResolvesWhatRuns(Store sound) {
            super(sound);
        }

        @Override
        public WriteAnswer resolve(Resolution resolution) {
            writeOne(new Write.Escalate(resolution.claim(), "to be resolved"));
            return super.resolve(resolution);
        }
    }

    private static final class PagesByTimeAlone extends FlawedStore {
        PagesByTimeAlone(Store sound) {
            super(sound);
        }

        @Override
        public List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit) {
            return super.listAttention(Optional.empty(), Integer.MAX_VALUE).stream()
                    .filter(item ->
                            after.isEmpty() || item.since().isAfter(after.get().since()))
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
        public Erased erase(ErasureOrder order) {
            erased = true;
            return super.erase(order);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return erased ? Shown.bare(record) : record;
        }
    }

    private static final class LooksAtEverything extends FlawedStore {
        LooksAtEverything(Store sound) {
            super(sound);
        }

        @Override
        public Census countUnsettled(int limit) {
            return super.countUnsettled(Integer.MAX_VALUE);
        }
    }

    private static final class CountsNeighbours extends FlawedStore {
        CountsNeighbours(Store sound) {
            super(sound);
        }

        @Override
        public long countKeys(String scope, long upTo) {
            return Samples.NEIGHBOURS.contains(scope)
                    ? Samples.NEIGHBOURS.stream()
                            .mapToLong(neighbour -> super.countKeys(neighbour, upTo))
                            .sum()
                    : super.countKeys(scope, upTo);
        }
    }
}
