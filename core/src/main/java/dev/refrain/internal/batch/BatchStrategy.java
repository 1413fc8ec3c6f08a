package dev.refrain.internal.batch;

import dev.refrain.api.KeyHash;
import dev.refrain.store.StoreException;
import java.util.List;
import java.util.Optional;

/** Rules of a {@link StoreBatcher} for one kind of request. */
interface BatchStrategy<Q, A> {

    List<A> send(List<Q> questions);

    KeyHash lookup(Q question);

    /** Returns the scope of the request: scopes are served in turn. By default all requests have the same. */
    default String scope(Q question) {
        return "";
    }

    /** Returns true if requests that would be answered too late are refused. */
    default boolean refusesWhenOverloaded() {
        return false;
    }

    /** Returns true if a request that would be answered too late is not sent while others wait. By default what is refused is. */
    default boolean skipsLate() {
        return refusesWhenOverloaded();
    }

    /** Returns approximately how many bytes the request adds to a batch. */
    long bytes(Q question);

    /** Returns approximately how many bytes an answer takes up in memory. */
    default long answerBytes(A answer) {
        return 0;
    }

    /** Returns the failure of an element that failed alone; empty if it is an answer. */
    Optional<StoreException> failureOf(A answer);

    /** Returns true if such an element failed because the store could not be asked for it. */
    default boolean isStoreAway(A failed) {
        return false;
    }

    /**
     * Returns true if a second request about the same record gets the first one's answer; otherwise it is sent in a later batch.
     */
    boolean hasSameAnswer(Q leader, Q follower);

    /** Returns the answer to such a second request, given the first one's. */
    A answerForDuplicate(A leaderAnswer);

    /** Called for a request whose caller timed out while it was in flight, and which may have taken effect after that. */
    default void onUnclaimedAnswer(Q question) {}
}
