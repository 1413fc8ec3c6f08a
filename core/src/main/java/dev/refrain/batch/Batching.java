package dev.refrain.batch;

import dev.refrain.key.Lookup;
import java.util.List;
import java.util.Optional;

/** What a {@link Lane} needs to know of the questions it carries. */
interface Batching<Q, A> {

    List<A> send(List<Q> questions);

    Lookup lookup(Q question);

    /** About how much the question adds to a batch. */
    long bytes(Q question);

    /** What a second question about the same record is answered, given the first one's; empty if it must be asked itself. */
    Optional<A> forFollower(Q leader, A leaderAnswer, Q follower);

    /** An answer whose asker gave up waiting. */
    void abandoned(A answer);
}
