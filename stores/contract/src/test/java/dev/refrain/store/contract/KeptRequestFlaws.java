package dev.refrain.store.contract;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Wrong about the requests that are kept for people. */
final class KeptRequestFlaws {

    private KeptRequestFlaws() {}

    static final List<StoreFlaw> ALL = List.of(
            StoreFlaw.of(
                    "shows the kept request of what is settled",
                    sound -> new Remembers(sound, List.of(RecordState.values())),
                    "completionRemovesTheKeptRequest",
                    "releaseRemovesTheKeptRequestAndTheNextClaimBringsItsOwn",
                    "sweepThatReleasesRemovesTheKeptRequest",
                    "decisionRemovesTheKeptRequest"),
            StoreFlaw.of(
                    "hides a kept request instead of removing it, and does not erase it",
                    sound -> new Remembers(sound, List.of(RecordState.IN_PROGRESS, RecordState.ATTENTION)),
                    "releaseRemovesTheKeptRequestAndTheNextClaimBringsItsOwn",
                    "sweepThatReleasesRemovesTheKeptRequest",
                    "decisionRemovesTheKeptRequest",
                    "recordMadeAnewHasOnlyItsOwnRequest",
                    "reapedRecordLeavesNoRequestBehind",
                    "erasedRecordHasNoRequest",
                    "erasureRemovesTheKeptRequestOfWhatIsInUse"),
            StoreFlaw.of(
                    "drops the kept request of what needs attention",
                    DropsInAttention::new,
                    "recordInAttentionStillHasItsRequest"),
            StoreFlaw.of(
                    "keeps the request of whoever claimed last",
                    KeepsTheLatest::new,
                    "takeoverKeepsTheFirstRequestAndBringsOneIfThereIsNone",
                    "claimThatIsNotAcquiredKeepsNothing"),
            StoreFlaw.of(
                    "keeps no request at all",
                    KeepsNothing::new,
                    "requestIsKeptOnlyWhereTheClaimAsksForIt",
                    "eachClaimOfABatchKeepsItsOwnRequest"),
            StoreFlaw.of(
                    "stores a kept request for its completer",
                    StoresForTheCompleter::new,
                    "keptRequestIsNoStoredRequest"));

    /** Never forgets what was kept, and shows it in some states. */
    private static class Remembers extends FlawedStore {
        private final Map<ScopedKey, Payload> remembered = new HashMap<>();
        private final List<RecordState> shownIn;

        Remembers(Store sound, List<RecordState> shownIn) {
            super(sound);
            this.shownIn = shownIn;
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            var answer = super.claimOne(request);
            if (answer instanceof ClaimResponse.Acquired) {
                request.keptRequest().ifPresent(kept -> remembered.putIfAbsent(request.identity(), kept));
            }
            return answer;
        }

        @Override
        public Optional<Payload> readKeptRequest(ScopedKey identity) {
            return find(List.of(identity))
                    .getFirst()
                    .filter(record -> shownIn.contains(record.state()))
                    .flatMap(record -> Optional.ofNullable(remembered.get(identity)));
        }
    }

    private static final class DropsInAttention extends FlawedStore {
        DropsInAttention(Store sound) {
            super(sound);
        }

        @Override
        public Optional<Payload> readKeptRequest(ScopedKey identity) {
            return super.readKeptRequest(identity)
                    .filter(kept -> find(List.of(identity))
                            .getFirst()
                            .filter(record -> record.state() == RecordState.IN_PROGRESS)
                            .isPresent());
        }
    }

    private static final class KeepsTheLatest extends FlawedStore {
        private final Map<ScopedKey, Payload> latest = new HashMap<>();

        KeepsTheLatest(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            request.keptRequest().ifPresent(kept -> latest.put(request.identity(), kept));
            return super.claimOne(request);
        }

        @Override
        public Optional<Payload> readKeptRequest(ScopedKey identity) {
            return Optional.ofNullable(latest.get(identity));
        }
    }

    private static final class KeepsNothing extends FlawedStore {
        KeepsNothing(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            return super.claimOne(request.withKeptRequest(null));
        }
    }

    private static final class StoresForTheCompleter extends FlawedStore {
        StoresForTheCompleter(Store sound) {
            super(sound);
        }

        @Override
        ClaimResponse claimOne(ClaimRequest request) {
            return super.claimOne(
                    request.keptRequest().isPresent()
                            ? request.withKeptRequest(null)
                                    .withStoredRequest(request.keptRequest().orElse(null))
                            : request);
        }
    }
}
