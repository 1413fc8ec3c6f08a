package dev.refrain.store;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.ScopedKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Keeps records, changes them atomically and reports what it found; the core makes the protocol's decisions. Every store
 * implements these methods. Everything else is an ability, a separate interface found by {@link #ability}.
 *
 * <h2>Guarantees of every implementation</h2>
 *
 * <ol>
 *   <li>Each element of a batch is atomic by itself; a batch as a whole need not be. Answers come in the order of the elements,
 *       one each.
 *   <li>Time is the store's own clock at the moment of the statement; {@link StoreClock#NONE} says what stands in its place where there
 *       is none. Durations go in, remaining durations come out.
 *   <li>Every batch may be resent: a claim with the same nonce finds itself, and a write under the same (id, fence) that already
 *       took effect answers {@link RecordWriteResponse.Written}.
 *   <li>Failures are {@link StoreException}s, and each says whether anything can have happened.
 *   <li>The caller sends at most one element per {@link KeyHash} in a batch, sorted by it.
 *   <li>An expired record is absent to every method, whether or not it was reaped yet. Only a record that {@link
 *       StoredRecord#isSettled} expires.
 *   <li>An element that fails alone is answered by {@link ClaimResponse.Failed} or {@link RecordWriteResponse.Failed}, and the other
 *       answers stand. Such an element has data that cannot be stored, such as a NUL, or a lookup that another identity already
 *       has ({@link RowRejectedException#badData}, nothing of it happened); its row is locked ({@link
 *       RowRejectedException#locked}, or for a claim {@link ClaimResponse.LockedByTransaction}); or the store is too busy
 *       ({@link StoreException#unavailable}). A thrown exception concerns the whole batch.
 *   <li>A record in a format of a later version is never guessed. Claiming or finding it fails with a {@link
 *       RowRejectedException#badData} that names the version, a write with another (id, fence) than its own is refused without a
 *       current record, and workers pass it over. So the places of id, fence and version stay the same in every format.
 * </ol>
 *
 * <p>Implementations are thread-safe. {@code stores/contract} holds the suites that each one passes: one for this interface, and
 * one for each ability.
 */
public interface Store extends AutoCloseable {

    StoreTraits traits();

    /**
     * Claims each record that can be claimed, and otherwise returns the existing one.
     *
     * <p>A claim succeeds for a record that is absent or expired (created anew: id = nonce, fence 1, the request's fingerprint);
     * and, only if the stored fingerprint equals the request's in recipe and digest, for one that is RELEASED, or IN_PROGRESS
     * with an expired lease and {@link LeaseExpiryPolicy#RESUME} (same id, fence + 1). An IN_PROGRESS record with an expired
     * lease, an equal fingerprint and {@link LeaseExpiryPolicy#HOLD} moves to ATTENTION and is answered as found. A record whose
     * owner is the request's nonce and whose lease has not expired is answered as acquired; a nonce never claims a second time,
     * so that a late duplicate of a claim creates no claim that nobody runs. Nothing else writes.
     *
     * <p>A claim of an existing record sets its own owner, lease and lease expiry policy, and stores its request if none is
     * stored, so that the record can be completed without its caller; a store with the ability {@link KeptRequestReader} keeps the request
     * for people likewise. Everything else stays: id, expiry, subject, stored request,
     * recovery point and the state carried by the last checkpoint.
     *
     * <p>An erased record has no fingerprint to compare with. If COMPLETED, it is answered as found to any request. If RELEASED,
     * any request claims it (same id, fence + 1), and it takes that request's names, fingerprint, subject and stored request.
     */
    List<ClaimResponse> claim(List<ClaimRequest> requests);

    /**
     * Applies each write to the record that has exactly its (id, fence) and is IN_PROGRESS (or, for Complete, ATTENTION); any
     * other write is refused and changes nothing. Completing keeps the record for at least {@link
     * dev.refrain.api.Retention#AFTER_COMPLETION} from now.
     *
     * <p>A write that already took effect answers {@link RecordWriteResponse.Written} and changes nothing more. A Complete with another
     * outcome than the stored one is refused: the first one stands.
     */
    List<RecordWriteResponse> write(List<? extends RecordWrite> writes);

    /**
     * Reads records, and never writes. Absent and expired records are empty.
     *
     * @throws RowRejectedException if some of them cannot be read: for good, or because they are locked or throttled ({@link
     *     RowRejectedException#locked}). The caller then reads each of them alone, so that the others are found
     */
    List<Optional<StoredRecord>> find(List<ScopedKey> identities);

    /**
     * Explains a record to people: where it comes from, its age, what it may have sent under which keys, and its attempts. Reads, and
     * never writes. Empty for absent, expired and erased records.
     */
    Optional<RecordExplanation> explain(ScopedKey identity);

    /**
     * Adds steps to those under whose derived keys an operation is known to call other systems. Claims carry the steps of earlier runs;
     * this is for a step that a run asks for first, so that {@link #explain} names its key if that run is never finished. A hint: failures
     * are ignored, and the next claim carries the step.
     */
    void addSteps(ClaimOrigin origin);

    /**
     * Settles claims whose lease ended more than {@code grace} ago: {@link LeaseExpiryPolicy#RESUME} to RELEASED, {@link
     * LeaseExpiryPolicy#HOLD} to ATTENTION. Examines at most {@code limit} records; the result says whether there may be more. May miss
     * changes of the last seconds where the store finds records by an index that lags; the record itself decides.
     *
     * <p>A store without a clock examines what is in progress, due or not, because that is how a handle comes to know a claim before its lease
     * ends: {@code limit} at a time, and the next call goes on where this one ended.
     *
     * <p>A store with a clock also notes here how far it has come: what is not settled is older by as much as the clock was set back since its
     * first claim ({@link RecordExplanation#age}, {@link StoredRecord#remainingLife}). Such ages may be overstated, never understated.
     */
    SweepResult sweep(Duration grace, int limit);

    /**
     * Deletes up to {@code limit} expired records; returns how many. Where the database itself deletes expired records, there may be none
     * left. It must not delete early: the time to live is set when a record is settled and removed when it is claimed again.
     */
    int reap(int limit);

    /**
     * Lists records in ATTENTION, oldest first. May miss changes of the last seconds where the store's index lags; a later pass lists them.
     *
     * @param after the last one of the page before; null for the first page
     */
    List<AttentionItem> listAttention(@Nullable AttentionItem after, int limit);

    /**
     * Resolves a record in ATTENTION as a person, a rule or the reconciler decided, with fence + 1, and writes actor, time and
     * reason into the store's audit trail in the same step. Refused if the record is not in ATTENTION under the resolution's (id,
     * fence); a resent resolution is refused too, and its answer shows the settled record. The record is kept for at least {@link
     * dev.refrain.api.Retention#AFTER_COMPLETION} from now.
     */
    RecordWriteResponse resolve(Resolution resolution);

    /**
     * Returns an optional part of this store; {@link StoreAbility} lists the known ones. By default a store has the abilities
     * that it implements itself; override this for abilities that are separate objects. A decorator must override it to forward
     * or wrap the abilities of its inner store; otherwise it has none.
     */
    default <A> Optional<A> ability(Class<A> type) {
        return type.isInstance(this) ? Optional.of(type.cast(this)) : Optional.empty();
    }

    @Override
    void close();
}
