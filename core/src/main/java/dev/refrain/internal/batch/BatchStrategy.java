package dev.refrain.internal.batch;

import dev.refrain.api.KeyHash;
import dev.refrain.store.StoreException;
import java.util.List;
import java.util.Optional;

/** What a {@link StoreBatcher} needs to know of the questions it carries. */
interface BatchStrategy<Q, A> {

    List<A> send(List<Q> questions);

    KeyHash lookup(Q question);

    /** About how much the question adds to a batch. */
    long bytes(Q question);

    /** Why this element failed although the others did not; empty if it is an answer. */
    Optional<StoreException> failureOf(A answer);

    /** Whether a second question about the same record ends as the first one does; if not, it must be asked itself. */
    boolean hasSameAnswer(Q leader, Q follower);

    /** What such a second question is answered, given the first one's answer. */
    A answerForDuplicate(A leaderAnswer);

    /** An answer whose asker gave up waiting. */
    void onUnclaimedAnswer(A answer);

    /** A question whose asker gave up waiting, and whose reply was lost after that: it may have taken effect. */
    default void onLostReply(Q question) {}
}
