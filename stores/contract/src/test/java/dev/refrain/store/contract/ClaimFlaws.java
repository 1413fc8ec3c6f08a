package dev.refrain.store.contract;

import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.key.RecordId;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.State;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.store.WriteAnswer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiPredicate;

/** Wrong about who may run. */
final class ClaimFlaws {

    private ClaimFlaws() {}

    static final List<Flaw> ALL = List.of(
            Flaw.of(
                    "takes over what must hold",
                    TakesOverWhatMustHold::new,
                    "aClaimWhoseLeaseIsOverGoesToAttentionWhereItMustHold",
                    "ofAllWhoClaimWhatMustHoldNobodyAcquiresIt"),
            Flaw.of(
                    "takes over for a different request",
                    sound -> new ComparesBadly(sound, (stored, asked) -> true),
                    "aDifferentRequestIsNeverRunAndChangesNothing",
                    "aMixedBatchOfClaimsIsAnsweredInOrderEachForItself"),
            Flaw.of(
                    "compares digests without their recipe",
                    sound ->
                            new ComparesBadly(sound, (stored, asked) -> Arrays.equals(stored.digest(), asked.digest())),
                    "aLikeDigestMadeByAnotherRecipeIsNotTheSameRequest"),
            Flaw.of(
                    "escalates for a different request",
                    EscalatesForADifferentRequest::new,
                    "aDifferentRequestIsNeverRunAndChangesNothing"),
            Flaw.of(
                    "tells the loser that it acquired",
                    LoserAcquires::new,
                    "whoComesSecondIsToldWhoCameFirst",
                    "askingForARunningRecordHoweverOftenChangesNothing"),
            Flaw.of("checks, then sets", ChecksThenSets::new, "ofAllWhoClaimAnAbsentRecordExactlyOneAcquiresIt"),
            Flaw.of(
                    "does not know its own nonce again",
                    ForgetsNonces::new,
                    "aFirstClaimAskedAgainUnderTheSameNonceFindsItself",
                    "aClaimAskedAgainUnderTheSameNonceFindsItself",
                    "aBatchSentAgainAfterALostReplyIsAnsweredAlike"),
            Flaw.of(
                    "loses the id with a release",
                    LosesIdWithRelease::new,
                    "aReleasedRecordIsClaimedUnderTheSameIdAndTheNextFence",
                    "everyClaimOfARecordHasAGreaterFenceAndTheSameId"),
            Flaw.of(
                    "holds a claim for as long as the record",
                    LeasesForTheRetention::new,
                    "aClaimWhoseLeaseIsOverIsTakenOverWhereItMayResume"),
            Flaw.of("keeps keys without their scope", KeysAreGlobal::new, "equalKeysOfDifferentScopesNeverMeet"),
            Flaw.of(
                    "answers in another order",
                    AnswersInAnotherOrder::new,
                    "aMixedBatchOfClaimsIsAnsweredInOrderEachForItself",
                    "aThousandQuestionsAreAnsweredEachWithItsOwn"),
            Flaw.of(
                    "rejects a batch that it has half done",
                    RejectsHalfDone::new,
                    "aClaimThatCannotBeStoredRejectsItsBatchAndNothingHappened"),
            Flaw.of(
                    "runs an erased payment again",
                    RunsErasedAgain::new,
                    "anErasedPaymentIsNeverPaidAgainWhateverIsAsked"));

    private static final class TakesOverWhatMustHold extends FlawedStore {
        TakesOverWhatMustHold(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            return super.claimOne(new ClaimRequest(
                    request.identity(),
                    request.lookup(),
                    request.fingerprint(),
                    request.nonce(),
                    request.lease(),
                    TakeOver.RESUME,
                    request.retention(),
                    request.subject(),
                    request.request()));
        }
    }

    private static final class ComparesBadly extends FlawedStore {
        private final BiPredicate<Fingerprint, Fingerprint> alike;

        ComparesBadly(Store sound, BiPredicate<Fingerprint, Fingerprint> alike) {
            super(sound);
            this.alike = alike;
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            var stored = sound.find(List.of(request.identity())).getFirst().flatMap(StoredRecord::fingerprint);
            return super.claimOne(stored.filter(f -> alike.test(f, request.fingerprint()))
                    .map(request::withFingerprint)
                    .orElse(request));
        }
    }

    private static final class EscalatesForADifferentRequest extends FlawedStore {
        EscalatesForADifferentRequest(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            if (super.claimOne(request) instanceof ClaimAnswer.Found found
                    && found.record().isLeaseExpired()
                    && found.record().takeOver() == TakeOver.HOLD) {
                writeOne(new Write.Escalate(found.record().claim(), "lease over"));
            }
            return super.claimOne(request);
        }
    }

    private static final class LoserAcquires extends FlawedStore {
        LoserAcquires(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            var answer = super.claimOne(request);
            return answer instanceof ClaimAnswer.Found found && found.record().state() == State.IN_PROGRESS
                    ? new ClaimAnswer.Acquired(found.record())
                    : answer;
        }
    }

    private static final class ChecksThenSets extends FlawedStore {
        ChecksThenSets(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            boolean free = sound.find(List.of(request.identity())).getFirst().isEmpty();
            LockSupport.parkNanos(1_000_000);
            var answer = super.claimOne(request);
            return free && answer instanceof ClaimAnswer.Found found
                    ? new ClaimAnswer.Acquired(found.record())
                    : answer;
        }
    }

    private static final class ForgetsNonces extends FlawedStore {
        private final Set<ClaimRef> given = new HashSet<>();

        ForgetsNonces(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            var answer = super.claimOne(request);
            return answer instanceof ClaimAnswer.Acquired again
                            && !given.add(again.record().claim())
                    ? new ClaimAnswer.Found(again.record())
                    : answer;
        }
    }

    /** Shows each claim of a released record as a new record with fence 1. */
    private static final class LosesIdWithRelease extends FlawedStore {
        private record Alias(RecordId id, long fencesBefore) {}

        private final Map<Lookup, Alias> aliases = new HashMap<>();

        LosesIdWithRelease(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            boolean released = sound.find(List.of(request.identity()))
                    .getFirst()
                    .filter(record -> record.state() == State.RELEASED)
                    .isPresent();
            var answer = super.claimOne(request);
            if (released && answer instanceof ClaimAnswer.Acquired acquired) {
                aliases.put(
                        request.lookup(),
                        new Alias(
                                new RecordId(request.nonce()), acquired.record().fence() - 1));
            }
            return answer;
        }

        @Override
        WriteAnswer writeOne(Write write) {
            var alias = aliases.get(write.claim().lookup());
            if (alias == null || !(write instanceof Write.Release)) {
                return super.writeOne(write);
            }
            var current =
                    ((WriteAnswer.Refused) super.writeOne(write)).current().orElseThrow();
            return super.writeOne(new Write.Release(current.claim()));
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            var alias = aliases.get(record.lookup());
            return alias == null ? record : Shown.as(record, alias.id(), record.fence() - alias.fencesBefore());
        }
    }

    private static final class LeasesForTheRetention extends FlawedStore {
        LeasesForTheRetention(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            return super.claimOne(Samples.withLease(request.retention().duration().orElse(request.lease()), request));
        }
    }

    private static final class KeysAreGlobal extends FlawedStore {
        KeysAreGlobal(Store sound) {
            super(sound);
        }

        private static Identity global(Identity identity) {
            return new Identity("", identity.namespace(), identity.key());
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            var identity = global(request.identity());
            return super.claimOne(new ClaimRequest(
                    identity,
                    identity.hash(),
                    request.fingerprint(),
                    request.nonce(),
                    request.lease(),
                    request.leaseExpiryPolicy(),
                    request.retention(),
                    request.subject(),
                    request.request()));
        }

        @Override
        public List<Optional<StoredRecord>> find(List<Identity> identities) {
            return super.find(identities.stream().map(KeysAreGlobal::global).toList());
        }
    }

    private static final class AnswersInAnotherOrder extends FlawedStore {
        AnswersInAnotherOrder(Store sound) {
            super(sound);
        }

        @Override
        public List<ClaimAnswer> claim(List<ClaimRequest> requests) {
            return super.claim(requests).reversed();
        }
    }

    private static final class RejectsHalfDone extends FlawedStore {
        RejectsHalfDone(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            if (request.subject().filter(s -> s.indexOf('\0') >= 0).isPresent()) {
                throw RowRejectedException.badData("NUL", new IllegalArgumentException());
            }
            return super.claimOne(request);
        }
    }

    private static final class RunsErasedAgain extends FlawedStore {
        RunsErasedAgain(Store sound) {
            super(sound);
        }

        @Override
        ClaimAnswer claimOne(ClaimRequest request) {
            var answer = super.claimOne(request);
            return answer instanceof ClaimAnswer.Found found
                            && found.record().fingerprint().isEmpty()
                    ? new ClaimAnswer.Acquired(Shown.as(found.record(), new RecordId(UUID.randomUUID()), 1))
                    : answer;
        }
    }
}
