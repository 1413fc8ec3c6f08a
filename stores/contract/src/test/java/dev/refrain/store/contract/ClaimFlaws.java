package dev.refrain.store.contract;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.StoredRecord;
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

    static final List<StoreFlaw> ALL = List.of(
            StoreFlaw.of(
                    "takes over what must hold",
                    TakesOverWhatMustHold::new,
                    "claimWhoseLeaseIsOverGoesToAttentionWhereItMustHold",
                    "noneOfManyClaimsAcquiresAHeldRecord"),
            StoreFlaw.of(
                    "takes over for a different request",
                    sound -> new ComparesBadly(sound, (stored, asked) -> true),
                    "differentRequestIsNeverRunAndChangesNothing",
                    "mixedBatchOfClaimsIsAnsweredInOrderEachForItself"),
            StoreFlaw.of(
                    "compares digests without their recipe",
                    sound ->
                            new ComparesBadly(sound, (stored, asked) -> Arrays.equals(stored.digest(), asked.digest())),
                    "equalDigestMadeByAnotherRecipeIsNotTheSameRequest"),
            StoreFlaw.of(
                    "escalates for a different request",
                    EscalatesForADifferentRequest::new,
                    "differentRequestIsNeverRunAndChangesNothing"),
            StoreFlaw.of(
                    "tells the loser that it acquired",
                    LoserAcquires::new,
                    "secondClaimIsAnsweredWithTheFirst",
                    "askingForARunningRecordHoweverOftenChangesNothing"),
            StoreFlaw.of("checks, then sets", ChecksThenSets::new, "exactlyOneOfManyClaimsAcquiresAnAbsentRecord"),
            StoreFlaw.of(
                    "does not know its own nonce again",
                    ForgetsNonces::new,
                    "firstClaimAskedAgainUnderTheSameNonceFindsItself",
                    "claimAskedAgainUnderTheSameNonceFindsItself",
                    "batchSentAgainAfterALostReplyIsAnsweredAlike"),
            StoreFlaw.of(
                    "loses the id with a release",
                    LosesIdWithRelease::new,
                    "releasedRecordIsClaimedUnderTheSameIdAndTheNextFence",
                    "everyClaimOfARecordHasAGreaterFenceAndTheSameId"),
            StoreFlaw.of(
                    "holds a claim for as long as the record",
                    LeasesForTheRetention::new,
                    "claimWhoseLeaseIsOverIsTakenOverWhereItMayResume"),
            StoreFlaw.of("keeps keys without their scope", KeysAreGlobal::new, "equalKeysOfDifferentScopesNeverMeet"),
            StoreFlaw.of(
                    "answers in another order",
                    AnswersInAnotherOrder::new,
                    "mixedBatchOfClaimsIsAnsweredInOrderEachForItself",
                    "oneThousandClaimsAreAnsweredEachWithItsOwn"),
            StoreFlaw.of(
                    "rejects a batch for one of its rows, half done",
                    RejectsHalfDone::new,
                    "claimThatCannotBeStoredFailsAlone"),
            StoreFlaw.of(
                    "runs an erased payment again",
                    RunsErasedAgain::new,
                    "erasedPaymentIsNeverPaidAgainWhateverIsAsked"));

    private static final class TakesOverWhatMustHold extends FlawedStore {
        TakesOverWhatMustHold(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            return super.claimOne(new ClaimRequest(
                    request.identity(),
                    request.lookup(),
                    request.fingerprint(),
                    request.nonce(),
                    request.lease(),
                    LeaseExpiryPolicy.RESUME,
                    request.retention(),
                    request.subject(),
                    request.request(),
                    request.keptRequest(),
                    request.origin()));
        }
    }

    private static final class ComparesBadly extends FlawedStore {
        private final BiPredicate<Fingerprint, Fingerprint> alike;

        ComparesBadly(Store sound, BiPredicate<Fingerprint, Fingerprint> alike) {
            super(sound);
            this.alike = alike;
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
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
        ClaimResponse claimOne(ClaimRequest request) {
            if (super.claimOne(request) instanceof ClaimResponse.Found found
                    && found.record().isLeaseExpired()
                    && found.record().takeOver() == LeaseExpiryPolicy.HOLD) {
                writeOne(new RecordWrite.Escalate(found.record().claim(), "lease over"));
            }
            return super.claimOne(request);
        }
    }

    private static final class LoserAcquires extends FlawedStore {
        LoserAcquires(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            var answer = super.claimOne(request);
            return answer instanceof ClaimResponse.Found found && found.record().state() == RecordState.IN_PROGRESS
                    ? new ClaimResponse.Acquired(found.record())
                    : answer;
        }
    }

    private static final class ChecksThenSets extends FlawedStore {
        ChecksThenSets(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            boolean free = sound.find(List.of(request.identity())).getFirst().isEmpty();
            LockSupport.parkNanos(1_000_000);
            var answer = super.claimOne(request);
            return free && answer instanceof ClaimResponse.Found found
                    ? new ClaimResponse.Acquired(found.record())
                    : answer;
        }
    }

    private static final class ForgetsNonces extends FlawedStore {
        private final Set<ClaimRef> given = new HashSet<>();

        ForgetsNonces(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            var answer = super.claimOne(request);
            return answer instanceof ClaimResponse.Acquired again
                            && !given.add(again.record().claim())
                    ? new ClaimResponse.Found(again.record())
                    : answer;
        }
    }

    /** Shows each claim of a released record as a new record with fence 1. */
    private static final class LosesIdWithRelease extends FlawedStore {
        private record Alias(RecordId id, long fencesBefore) {}

        private final Map<KeyHash, Alias> aliases = new HashMap<>();

        LosesIdWithRelease(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            boolean released = sound.find(List.of(request.identity()))
                    .getFirst()
                    .filter(record -> record.state() == RecordState.RELEASED)
                    .isPresent();
            var answer = super.claimOne(request);
            if (released && answer instanceof ClaimResponse.Acquired acquired) {
                aliases.put(
                        request.lookup(),
                        new Alias(
                                new RecordId(request.nonce()), acquired.record().fence() - 1));
            }
            return answer;
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var alias = aliases.get(write.claim().lookup());
            if (alias == null || !(write instanceof RecordWrite.Release)) {
                return super.writeOne(write);
            }
            var current = ((RecordWriteResponse.Refused) super.writeOne(write))
                    .current()
                    .orElseThrow();
            return super.writeOne(new RecordWrite.Release(current.claim()));
        }

        @Override
        StoredRecord shown(StoredRecord record) {
            var alias = aliases.get(record.lookup());
            return alias == null
                    ? record
                    : AlteredRecords.as(record, alias.id(), record.fence() - alias.fencesBefore());
        }
    }

    private static final class LeasesForTheRetention extends FlawedStore {
        LeasesForTheRetention(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            return super.claimOne(
                    StoreTestData.withLease(request.retention().duration().orElse(request.lease()), request));
        }
    }

    private static final class KeysAreGlobal extends FlawedStore {
        KeysAreGlobal(Store sound) {
            super(sound);
        }

        private static ScopedKey global(ScopedKey identity) {
            return new ScopedKey("", identity.namespace(), identity.key());
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
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
                    request.request(),
                    request.keptRequest(),
                    request.origin()));
        }

        @Override
        public List<Optional<StoredRecord>> find(List<ScopedKey> identities) {
            return super.find(identities.stream().map(KeysAreGlobal::global).toList());
        }
    }

    private static final class AnswersInAnotherOrder extends FlawedStore {
        AnswersInAnotherOrder(Store sound) {
            super(sound);
        }

        @Override
        public List<ClaimResponse> claim(List<ClaimRequest> requests) {
            return super.claim(requests).reversed();
        }
    }

    private static final class RejectsHalfDone extends FlawedStore {
        RejectsHalfDone(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
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
        ClaimResponse claimOne(ClaimRequest request) {
            var answer = super.claimOne(request);
            return answer instanceof ClaimResponse.Found found
                            && found.record().fingerprint().isEmpty()
                    ? new ClaimResponse.Acquired(AlteredRecords.as(found.record(), new RecordId(UUID.randomUUID()), 1))
                    : answer;
        }
    }
}
