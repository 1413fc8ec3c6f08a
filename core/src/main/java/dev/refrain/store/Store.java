package dev.refrain.store;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Keeps records, changes them atomically and says what it saw; the protocol's decisions are made in the core. These methods are what
 * every store must do. All else is an ability, an interface of its own that is found by {@link #ability}.
 *
 * <h2>What every implementation promises</h2>
 *
 * <ol>
 *   <li>Each element of a batch is atomic by itself; a batch as a whole need not be. Answers come in the order of the
 *       questions, one each.
 *   <li>Time is the store's own clock at the moment of the statement. Durations go in, remaining durations come out.
 *   <li>Every batch may be sent again: a claim under the same nonce finds itself, a write under the same (id, fence) that
 *       already took effect answers {@link WriteResponse.Written}.
 *   <li>Failures are {@link StoreException}s, and each says whether anything can have happened.
 *   <li>A batch has at most one question per {@link KeyHash} and is sorted by it; the caller sees to that.
 *   <li>An expired record is absent to every method, whether or not it was reaped yet. Only what is {@link StoredRecord#isSettled} expires.
 *   <li>An element of a batch that fails alone is answered by {@link ClaimResponse.Failed} or {@link WriteResponse.Failed}, and the others'
 *       answers stand: one whose data cannot be stored, such as a NUL where the database has none, or whose lookup another identity
 *       already has ({@link RowRejectedException#badData}, nothing of it happened); one whose row somebody holds ({@link
 *       RowRejectedException#locked}, or for a claim {@link ClaimResponse.LockedByTransaction}); one that the store is too busy for ({@link
 *       StoreException#unavailable}). What is thrown is about all of the batch.
 * </ol>
 *
 * <p>Implementations are safe for use by many threads. {@code stores/contract} holds the suites that each one passes: one for this
 * interface, and one for each ability it has.
 */
public interface Store extends AutoCloseable {

    StoreTraits traits();

    /**
     * Claims each record that can be claimed, and otherwise says what is there.
     *
     * <p>Claimed are: a record that is absent or expired (it is made anew: id = nonce, fence 1, the request's fingerprint);
     * and, only if the stored fingerprint equals the request's in recipe and digest, one that is RELEASED, or IN_PROGRESS
     * with its lease over and {@link LeaseExpiryPolicy#RESUME} (same id, fence + 1). An IN_PROGRESS record with its lease over, a
     * like fingerprint and {@link LeaseExpiryPolicy#HOLD} becomes ATTENTION and is answered as found. A record whose owner is the
     * request's nonce and whose lease is alive is answered as acquired; a nonce never claims a second time, so a
     * duplicate of a claim that arrives late makes no claim that nobody runs. Nothing else writes.
     *
     * <p>A claim of a record that exists brings its own owner, lease and take-over, and its request if none is stored: or nobody could
     * finish it without its caller. Everything else stays: id, expiry, subject, stored request, recovery point and what the last
     * checkpoint carried.
     *
     * <p>An erased record has nothing left to compare with. COMPLETED, it is answered as found, whatever asks. RELEASED, it
     * is claimed by any request (same id, fence + 1) and takes that one's names, fingerprint, subject and stored request.
     */
    List<ClaimResponse> claim(List<ClaimRequest> requests);

    /**
     * Applies each write to the record that has exactly its (id, fence) and is IN_PROGRESS (or, for Complete, ATTENTION);
     * anything else is refused and changes nothing. Completing keeps the record until at least {@link
     * dev.refrain.api.Retention#AFTER_COMPLETION} from now.
     *
     * <p>A write that already took effect answers {@link WriteResponse.Written} and changes nothing more. A Complete with
     * another outcome than the one that is stored did not take effect: it is refused, and the first one stands.
     */
    List<WriteResponse> write(List<? extends RecordWrite> writes);

    /** Reads, and never writes. Absent and expired records are empty. */
    List<Optional<StoredRecord>> find(List<ScopedKey> identities);

    /**
     * Settles claims whose lease ended more than {@code grace} ago: {@link LeaseExpiryPolicy#RESUME} to RELEASED, {@link
     * LeaseExpiryPolicy#HOLD} to ATTENTION. Looks at no more than {@code limit} records; says so if there may be more.
     */
    SweepResult sweep(Duration grace, int limit);

    /** Deletes up to {@code limit} expired records; answers how many. */
    int reap(int limit);

    /** Records in ATTENTION, oldest first, after the given one. */
    List<AttentionItem> listAttention(Optional<AttentionItem> after, int limit);

    /**
     * Settles a record in ATTENTION as a person, a rule or the reconciler says, with fence + 1, and writes who, when and why
     * into the store's audit trail in the same step. Refused if the record is not in ATTENTION under the resolution's
     * (id, fence); so is the same resolution sent again, and what is answered shows the record settled. However late, the record is kept
     * until at least {@link dev.refrain.api.Retention#AFTER_COMPLETION} from now.
     */
    WriteResponse resolve(Resolution resolution);

    /**
     * Finds an optional part of this store; {@link StoreAbility} lists the known ones. A store has the abilities that it implements
     * itself; it overrides this for those that are objects of their own. A decorator overrides it too, and forwards or wraps what the
     * store inside has: by itself it would have none.
     */
    default <A> Optional<A> ability(Class<A> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    void close();
}
