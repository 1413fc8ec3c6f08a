package dev.refrain.store.contract;

import dev.refrain.key.Lookup;
import dev.refrain.outcome.Payload;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
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

    static final List<Flaw> ALL = List.of(
            Flaw.of(
                    "ignores the fence",
                    sound -> new MatchesLoosely(
                            sound, (asked, there) -> asked.id().equals(there.id())),
                    "aClaimThatWasTakenOverWritesNothing",
                    "aClaimThatWasReleasedAndClaimedAgainWritesNothing",
                    "aCheckpointOfAStalledRunnerIsRefusedAndTheCommittedPhaseStands",
                    "aReleaseSentAgainDoesNotFreeTheNextClaim"),
            Flaw.of(
                    "ignores the record's id",
                    sound -> new MatchesLoosely(sound, (asked, there) -> asked.fence() == there.fence()),
                    "aRunnerOfAnExpiredRecordDoesNotWriteIntoTheOneThatFollowed",
                    "aClaimOfOneScopeWritesNothingOfAnother"),
            Flaw.of(
                    "takes any fence that is not older",
                    sound -> new MatchesLoosely(
                            sound, (asked, there) -> asked.id().equals(there.id()) && asked.fence() >= there.fence()),
                    "aFenceThatWasNeverGivenOutWritesNothing"),
            Flaw.of(
                    "completes what was released",
                    CompletesWhatWasReleased::new,
                    "whoReleasedHasNothingMoreToSay",
                    "aLateCompletionAfterASweptReleaseIsRefused"),
            Flaw.of(
                    "says a second outcome was written",
                    AcceptsASecondOutcome::new,
                    "aCompletedOutcomeNeverChangesNotEvenForWhoWroteIt"),
            Flaw.of(
                    "overwrites a completed outcome",
                    OverwritesOutcomes::new,
                    "aCompletedOutcomeNeverChangesNotEvenForWhoWroteIt"),
            Flaw.of(
                    "does not hear a late runner in attention",
                    sound -> new Refuses(
                            sound,
                            (write, there) -> write instanceof Write.Complete && there.state() == State.ATTENTION),
                    "itsOwnLateRunnerCompletesItUnderTheSameFence",
                    "itsOwnLateRunnerCompletesWhatWasSweptToAttention"),
            Flaw.of(
                    "refuses a completion after the lease",
                    sound -> new Refuses(
                            sound,
                            (write, there) -> write instanceof Write.Complete
                                    && there.state() == State.IN_PROGRESS
                                    && there.isLeaseExpired()),
                    "aLateCompletionHoldsIfNobodyTookOverMeanwhile"),
            Flaw.of(
                    "refuses a write that comes again",
                    sound -> new Refuses(sound, (write, there) -> there.state() != State.IN_PROGRESS),
                    "aWriteSentAgainIsWrittenAndChangesNothingMore",
                    "aCompletionOfTheStateAloneSentAgainIsWritten"),
            Flaw.of(
                    "does not renew",
                    sound -> new Skips(sound, Write.Renew.class::isInstance),
                    "aClaimThatIsRenewedIsNotTakenOverHoweverOldItIs",
                    "aClaimThatWasRenewedIsLeftAlone"),
            Flaw.of("adds renewals up", AddsRenewalsUp::new, "aRenewedLeaseCountsFromNowNotFromWhereItEnded"));

    private static Optional<StoredRecord> there(WriteAnswer answer) {
        return answer instanceof WriteAnswer.Refused refused ? refused.current() : Optional.empty();
    }

    /** What is stored, learned by a write that no store accepts. */
    private static Optional<StoredRecord> there(Store sound, Write write) {
        var claim = write.claim();
        return there(sound.write(List.of(new Write.Release(new ClaimRef(claim.lookup(), claim.id(), -1))))
                .getFirst());
    }

    private static Write on(ClaimRef claim, Write write) {
        return switch (write) {
            case Write.Complete w -> new Write.Complete(claim, w.outcome(), w.retention());
            case Write.Release w -> new Write.Release(claim);
            case Write.Escalate w -> new Write.Escalate(claim, w.reason());
            case Write.Checkpoint w -> new Write.Checkpoint(claim, w.recoveryPoint(), w.carried(), w.lease());
            case Write.Renew w -> new Write.Renew(claim, w.lease());
        };
    }

    private static final class MatchesLoosely extends FlawedStore {
        private final BiPredicate<ClaimRef, ClaimRef> matches;

        MatchesLoosely(Store sound, BiPredicate<ClaimRef, ClaimRef> matches) {
            super(sound);
            this.matches = matches;
        }

        @Override
        WriteAnswer writeOne(Write write) {
            var answer = super.writeOne(write);
            return there(answer)
                    .map(StoredRecord::claim)
                    .filter(there -> matches.test(write.claim(), there))
                    .map(there -> super.writeOne(on(there, write)))
                    .orElse(answer);
        }
    }

    private static final class CompletesWhatWasReleased extends FlawedStore {
        private final Map<Lookup, ClaimRequest> asked = new HashMap<>();

        CompletesWhatWasReleased(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            asked.put(request.lookup(), request);
            return super.claimOne(request);
        }

        @Override
        WriteAnswer writeOne(Write write) {
            var answer = super.writeOne(write);
            if (write instanceof Write.Complete
                    && there(answer).filter(r -> r.state() == State.RELEASED).isPresent()
                    && super.claimOne(asked.get(write.claim().lookup()).withNonce(UUID.randomUUID()))
                            instanceof ClaimAnswer.Acquired acquired) {
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
        WriteAnswer writeOne(Write write) {
            var answer = super.writeOne(write);
            return there(answer)
                            .filter(r -> write instanceof Write.Complete
                                    && r.state() == State.COMPLETED
                                    && r.claim().equals(write.claim()))
                            .isPresent()
                    ? new WriteAnswer.Written()
                    : answer;
        }
    }

    private static final class OverwritesOutcomes extends FlawedStore {
        private final Map<ClaimRef, Optional<Payload>> latest = new HashMap<>();

        OverwritesOutcomes(Store sound) {
            super(sound);
        }

        @Override
        WriteAnswer writeOne(Write write) {
            if (write instanceof Write.Complete complete) {
                latest.put(write.claim(), complete.outcome());
            }
            return super.writeOne(write);
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            return record.state() == State.COMPLETED && latest.containsKey(record.claim())
                    ? record.withPayloads(latest.get(record.claim()), record.request(), record.carried())
                    : record;
        }
    }

    private static final class Refuses extends FlawedStore {
        private final BiPredicate<Write, StoredRecord> refused;

        Refuses(Store sound, BiPredicate<Write, StoredRecord> refused) {
            super(sound);
            this.refused = refused;
        }

        @Override
        WriteAnswer writeOne(Write write) {
            var there = there(sound, write);
            return there.filter(record -> refused.test(write, record)).isPresent()
                    ? new WriteAnswer.Refused(there)
                    : super.writeOne(write);
        }
    }

    private static final class Skips extends FlawedStore {
        private final Predicate<Write> skipped;

        Skips(Store sound, Predicate<Write> skipped) {
            super(sound);
            this.skipped = skipped;
        }

        @Override
        WriteAnswer writeOne(Write write) {
            return skipped.test(write) ? new WriteAnswer.Written() : super.writeOne(write);
        }
    }

    private static final class AddsRenewalsUp extends FlawedStore {
        AddsRenewalsUp(Store sound) {
            super(sound);
        }

        @Override
        WriteAnswer writeOne(Write write) {
            return there(sound, write)
                    .filter(there -> write instanceof Write.Renew)
                    .map(there -> super.writeOne(
                            new Write.Renew(write.claim(), there.remainingLease().plus(((Write.Renew) write).lease()))))
                    .orElseGet(() -> super.writeOne(write));
        }
    }
}
