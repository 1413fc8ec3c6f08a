package dev.refrain.store.contract;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Predicate;

/** Wrong about who may write, and what. */
final class WriteFlaws {

    private WriteFlaws() {}

    static final List<StoreFlaw> ALL = List.of(
            StoreFlaw.of(
                    "ignores the fence",
                    sound -> new MatchesLoosely(
                            sound, (asked, there) -> asked.id().equals(there.id())),
                    "claimThatWasTakenOverWritesNothing",
                    "claimThatWasReleasedAndClaimedAgainWritesNothing",
                    "checkpointOfAStalledRunnerIsRefusedAndTheCommittedPhaseStands",
                    "releaseSentAgainDoesNotFreeTheNextClaim"),
            StoreFlaw.of(
                    "ignores the record's id",
                    sound -> new MatchesLoosely(sound, (asked, there) -> asked.fence() == there.fence()),
                    "runnerOfAnExpiredRecordDoesNotWriteIntoTheOneThatFollowed",
                    "claimOfOneScopeWritesNothingOfAnother"),
            StoreFlaw.of(
                    "takes any fence that is not older",
                    sound -> new MatchesLoosely(
                            sound, (asked, there) -> asked.id().equals(there.id()) && asked.fence() >= there.fence()),
                    "fenceThatWasNeverGivenOutWritesNothing"),
            StoreFlaw.of(
                    "completes what was released",
                    CompletesWhatWasReleased::new,
                    "releasedClaimWritesNothing",
                    "lateCompletionAfterASweptReleaseIsRefused"),
            StoreFlaw.of(
                    "says a second outcome was written",
                    AcceptsASecondOutcome::new,
                    "completedOutcomeNeverChangesNotEvenForWhoWroteIt"),
            StoreFlaw.of(
                    "overwrites a completed outcome",
                    OverwritesOutcomes::new,
                    "completedOutcomeNeverChangesNotEvenForWhoWroteIt"),
            StoreFlaw.of(
                    "does not hear a late runner in attention",
                    sound -> new RefusesSomeWrites(
                            sound,
                            (write, there) ->
                                    write instanceof RecordWrite.Complete && there.state() == RecordState.ATTENTION),
                    "lateRunnerCompletesItsRecordInAttentionUnderTheSameFence",
                    "lateRunnerCompletesItsRecordSweptToAttention"),
            StoreFlaw.of(
                    "refuses a completion after the lease",
                    sound -> new RefusesSomeWrites(
                            sound,
                            (write, there) -> write instanceof RecordWrite.Complete
                                    && there.state() == RecordState.IN_PROGRESS
                                    && there.isLeaseExpired()),
                    "lateCompletionHoldsIfNobodyTookOverMeanwhile"),
            StoreFlaw.of(
                    "refuses a write that comes again",
                    sound -> new RefusesSomeWrites(sound, (write, there) -> there.state() != RecordState.IN_PROGRESS),
                    "writeSentAgainIsWrittenAndChangesNothingMore",
                    "completionOfTheStateAloneSentAgainIsWritten"),
            StoreFlaw.of(
                    "does not renew",
                    sound -> new SkipsSomeWrites(sound, RecordWrite.Renew.class::isInstance),
                    "claimThatIsRenewedIsNotTakenOverHoweverOldItIs",
                    "claimThatWasRenewedIsLeftAlone"),
            StoreFlaw.of("adds renewals up", AddsRenewalsUp::new, "renewedLeaseCountsFromNowNotFromWhereItEnded"));

    private static Optional<StoredRecord> there(RecordWriteResponse answer) {
        return answer instanceof RecordWriteResponse.Refused refused ? refused.current() : Optional.empty();
    }

    /** What is stored, learned by a write that no store accepts. */
    private static Optional<StoredRecord> there(Store sound, RecordWrite write) {
        var claim = write.claim();
        return there(sound.write(List.of(new RecordWrite.Release(new ClaimRef(claim.lookup(), claim.id(), -1))))
                .getFirst());
    }

    private static RecordWrite on(ClaimRef claim, RecordWrite write) {
        return switch (write) {
            case RecordWrite.Complete w -> new RecordWrite.Complete(claim, w.outcome(), w.retention());
            case RecordWrite.Release w -> new RecordWrite.Release(claim, w.retryDelay(), w.reason());
            case RecordWrite.Escalate w -> new RecordWrite.Escalate(claim, w.reason());
            case RecordWrite.Checkpoint w ->
                new RecordWrite.Checkpoint(claim, w.recoveryPoint(), w.carried(), w.lease());
            case RecordWrite.Renew w -> new RecordWrite.Renew(claim, w.lease());
        };
    }

    private static final class MatchesLoosely extends FlawedStore {
        private final BiPredicate<ClaimRef, ClaimRef> matches;

        MatchesLoosely(Store sound, BiPredicate<ClaimRef, ClaimRef> matches) {
            super(sound);
            this.matches = matches;
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var answer = super.writeOne(write);
            return there(answer)
                    .map(StoredRecord::claim)
                    .filter(there -> matches.test(write.claim(), there))
                    .map(there -> super.writeOne(on(there, write)))
                    .orElse(answer);
        }
    }

    private static final class CompletesWhatWasReleased extends FlawedStore {
        private final Map<KeyHash, ClaimRequest> asked = new HashMap<>();

        CompletesWhatWasReleased(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            asked.put(request.lookup(), request);
            return super.claimOne(request);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var answer = super.writeOne(write);
            if (write instanceof RecordWrite.Complete
                    && there(answer)
                            .filter(r -> r.state() == RecordState.RELEASED)
                            .isPresent()
                    && super.claimOne(asked.get(write.claim().lookup()).withNonce(UUID.randomUUID()))
                            instanceof ClaimResponse.Acquired acquired) {
                return super.writeOne(on(acquired.record().claim(), write));
            }
            return answer;
        }
    }

    private static final class AcceptsASecondOutcome extends FlawedStore {
        AcceptsASecondOutcome(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var answer = super.writeOne(write);
            return there(answer)
                            .filter(r -> write instanceof RecordWrite.Complete
                                    && r.state() == RecordState.COMPLETED
                                    && r.claim().equals(write.claim()))
                            .isPresent()
                    ? new RecordWriteResponse.Written()
                    : answer;
        }
    }

    private static final class OverwritesOutcomes extends FlawedStore {
        private final Map<ClaimRef, Optional<Payload>> latest = new HashMap<>();

        OverwritesOutcomes(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            if (write instanceof RecordWrite.Complete complete) {
                latest.put(write.claim(), complete.outcome());
            }
            return super.writeOne(write);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return record.state() == RecordState.COMPLETED && latest.containsKey(record.claim())
                    ? record.withPayloads(
                            latest.get(record.claim()).orElse(null),
                            record.request().orElse(null),
                            record.carried().orElse(null))
                    : record;
        }
    }

    private static final class RefusesSomeWrites extends FlawedStore {
        private final BiPredicate<RecordWrite, StoredRecord> refused;

        RefusesSomeWrites(Store sound, BiPredicate<RecordWrite, StoredRecord> refused) {
            super(sound);
            this.refused = refused;
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var there = there(sound, write);
            return there.filter(record -> refused.test(write, record)).isPresent()
                    ? new RecordWriteResponse.Refused(there)
                    : super.writeOne(write);
        }
    }

    private static final class SkipsSomeWrites extends FlawedStore {
        private final Predicate<RecordWrite> skipped;

        SkipsSomeWrites(Store sound, Predicate<RecordWrite> skipped) {
            super(sound);
            this.skipped = skipped;
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            return skipped.test(write) ? new RecordWriteResponse.Written() : super.writeOne(write);
        }
    }

    private static final class AddsRenewalsUp extends FlawedStore {
        AddsRenewalsUp(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            return there(sound, write)
                    .filter(there -> write instanceof RecordWrite.Renew)
                    .map(there -> super.writeOne(new RecordWrite.Renew(
                            write.claim(), there.remainingLease().plus(((RecordWrite.Renew) write).lease()))))
                    .orElseGet(() -> super.writeOne(write));
        }
    }
}
