package dev.refrain.store.contract;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.outcome.Payload;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Resolution;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeUp;
import dev.refrain.store.TakenUp;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Wrong about what is kept, and for how long. */
final class KeepingFlaws {

    private KeepingFlaws() {}

    static final List<Flaw> ALL = List.of(
            Flaw.of(
                    "takes an empty outcome for none",
                    sound -> new ChangesOutcomes(sound, outcome -> outcome.filter(o -> o.size() > 0)),
                    "theStateAloneIsNotAnEmptyOutcome",
                    "anOutcomeComesBackByteForByteOnEveryWayToIt"),
            Flaw.of(
                    "takes no outcome for an empty one",
                    sound ->
                            new ChangesOutcomes(sound, outcome -> Optional.of(outcome.orElse(Payload.of(new byte[0])))),
                    "theStateAloneIsNotAnEmptyOutcome"),
            Flaw.of(
                    "keeps outcomes as text",
                    sound -> new ChangesOutcomes(sound, outcome -> outcome.map(KeepingFlaws::asText)),
                    "anOutcomeComesBackByteForByteOnEveryWayToIt"),
            Flaw.of(
                    "replays after expiry",
                    ReplaysAfterExpiry::new,
                    "afterItsRetentionTheSameKeyIsANewRequestWithANewId"),
            Flaw.of(
                    "forgets what is in attention",
                    ForgetsAttention::new,
                    "whatIsInAttentionDoesNotExpire",
                    "aRecordInAttentionIsNeverAcquiredHoweverLongItWaits"),
            Flaw.of(
                    "forgets what is half done",
                    ForgetsHalfDone::new,
                    "whatIsHalfDoneDoesNotExpire",
                    "whatIsHalfDoneIsNeverDeletedHoweverOld",
                    "whatIsHalfDoneIsFoundHoweverLate"),
            Flaw.of(
                    "forgets at once what may run again",
                    ForgetsWhatMayRunAgain::new,
                    "whatMayRunAgainIsKeptForAnHourEvenPastItsRetention"),
            Flaw.of(
                    "keeps what was resolved as long as the record",
                    KeepsResolvedAsItWas::new,
                    "aResolvedOutcomeMayBeKeptForEver",
                    "aResolvedOutcomeMayBeKeptLongerCountedFromTheFirstClaim"),
            Flaw.of(
                    "removes the key if completion comes late",
                    RemovesLateCompletions::new,
                    "anOutcomeIsKeptForAnHourAfterCompletionEvenPastItsRetention"),
            Flaw.of(
                    "counts retention from completion",
                    CountsFromCompletion::new,
                    "retentionCountsFromTheFirstClaimNotFromTheLastNorFromCompletion"),
            Flaw.of(
                    "begins a flow anew after a takeover",
                    ForgetsRecoveryPoints::new,
                    "aTakeoverGoesOnFromTheRecoveryPoint",
                    "aReleasedRecordGoesOnFromTheRecoveryPoint"),
            Flaw.of(
                    "stores a request only with the first claim",
                    StoresOnlyTheFirstRequest::new,
                    "whatHasNoStoredRequestTakesTheNextOne"),
            Flaw.of(
                    "keeps the request of what is done",
                    KeepsRequests::new,
                    "aCompletionDropsTheStoredRequestAndWhatWasCarried"));

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
        WriteAnswer writeOne(Write write) {
            return super.writeOne(
                    write instanceof Write.Complete c
                            ? new Write.Complete(c.claim(), change.apply(c.outcome()), c.retention())
                            : write);
        }
    }

    private static final class ReplaysAfterExpiry extends FlawedStore {
        private final Map<Lookup, StoredRecord> done = new HashMap<>();

        ReplaysAfterExpiry(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            var known = done.get(request.lookup());
            return known == null ? super.claimOne(request) : new ClaimAnswer.Found(known);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            if (record.state() == State.COMPLETED) {
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
        ClaimAnswer claimOne(ClaimRequest request) {
            if (super.claimOne(request) instanceof ClaimAnswer.Found found
                    && found.record().state() == State.ATTENTION
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
    private abstract static class ForgetsSome extends FlawedStore {
        ForgetsSome(Store sound) {
            super(sound);
        }

        abstract boolean forgets(StoredRecord record);

        @Override
        public List<Optional<StoredRecord>> find(List<Identity> identities) {
            return super.find(identities).stream()
                    .map(found -> found.filter(record -> !forgets(record)))
                    .toList();
        }

        @Override
        public TakenUp pollAbandoned(TakeUp order) {
            var taken = super.pollAbandoned(order);
            return new TakenUp(
                    taken.abandoned().stream()
                            .filter(left ->
                                    find(List.of(left.identity())).getFirst().isPresent())
                            .toList(),
                    taken.toAttention(),
                    taken.more());
        }
    }

    private static final class ForgetsHalfDone extends ForgetsSome {
        ForgetsHalfDone(Store sound) {
            super(sound);
        }

        @Override
        boolean forgets(StoredRecord record) {
            return record.state() == State.RELEASED
                    && record.remainingLife().filter(left -> !left.isPositive()).isPresent();
        }
    }

    private static final class ForgetsWhatMayRunAgain extends ForgetsSome {
        private final Set<ClaimRef> decided = new HashSet<>();

        ForgetsWhatMayRunAgain(Store sound) {
            super(sound);
        }

        @Override
        public WriteAnswer resolve(Resolution resolution) {
            decided.add(resolution.claim());
            return super.resolve(resolution);
        }

        @Override
        boolean forgets(StoredRecord record) {
            return record.state() == State.RELEASED
                    && record.remainingLife()
                            .filter(left -> left.compareTo(Retention.AFTER_COMPLETION) <= 0)
                            .isPresent()
                    && decided.contains(new ClaimRef(record.lookup(), record.id(), record.fence() - 1));
        }
    }

    private static final class KeepsResolvedAsItWas extends FlawedStore {
        KeepsResolvedAsItWas(Store sound) {
            super(sound);
        }

        @Override
        public WriteAnswer resolve(Resolution resolution) {
            return super.resolve(
                    resolution.verdict() instanceof Resolution.Done done
                            ? new Resolution(
                                    resolution.claim(),
                                    new Resolution.Done(done.outcome()),
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
        WriteAnswer writeOne(Write write) {
            var claim = write.claim();
            boolean late = sound.write(List.of(new Write.Release(new ClaimRef(claim.lookup(), claim.id(), -1))))
                                    .getFirst()
                            instanceof WriteAnswer.Refused refused
                    && refused.current()
                            .flatMap(StoredRecord::remainingLife)
                            .filter(left -> !left.isPositive())
                            .isPresent();
            return super.writeOne(late && write instanceof Write.Complete ? new Write.Release(claim) : write);
        }
    }

    private static final class CountsFromCompletion extends FlawedStore {
        CountsFromCompletion(Store sound) {
            super(sound);
        }

        @Override
        WriteAnswer writeOne(Write write) {
            return super.writeOne(
                    write instanceof Write.Complete c
                            ? new Write.Complete(
                                    c.claim(),
                                    c.outcome(),
                                    Optional.of(Retention.of(Samples.RETENTION.multipliedBy(2))))
                            : write);
        }
    }

    private static final class ForgetsRecoveryPoints extends FlawedStore {
        ForgetsRecoveryPoints(Store sound) {
            super(sound);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return record.fence() > 1 ? Shown.withoutRecoveryPoint(record) : record;
        }
    }

    private static final class StoresOnlyTheFirstRequest extends FlawedStore {
        StoresOnlyTheFirstRequest(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            boolean first = sound.find(List.of(request.identity())).getFirst().isEmpty();
            return super.claimOne(first ? request : request.withStoredRequest(Optional.empty()));
        }
    }

    private static final class KeepsRequests extends FlawedStore {
        private final Map<Lookup, Optional<Payload>> requests = new HashMap<>();

        KeepsRequests(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            requests.putIfAbsent(request.lookup(), request.request());
            return super.claimOne(request);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return record.withPayloads(
                    record.outcome(), requests.getOrDefault(record.lookup(), record.request()), record.carried());
        }
    }
}
