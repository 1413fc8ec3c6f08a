package dev.refrain.internal.run;

import dev.refrain.api.CurrentClaim;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.TransactionLimits;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds out whether an indeterminate commit took effect, under the key's lock, which the broken transaction may still hold.
 *
 * @param patience how long it is tried
 */
record CommitInquiry<C>(StoreTransactionFactory<C> transactions, ExecutionEnvironment environment, Duration patience) {

    private static final Duration PAUSE = Duration.ofMillis(50);

    /**
     * Returns whether the record was committed as it was written; empty if that cannot be found out in time. Asks as part of the claim's
     * transaction: work that ran does not queue for a connection again.
     */
    Optional<Boolean> isCommitted(ClaimRequest request, RunningClaim claim) {
        long deadline = environment.nanoTime() + patience.toNanos();
        for (long left = patience.toNanos(); left > 0; left = deadline - environment.nanoTime()) {
            boolean interrupted = Thread.interrupted();
            var limit = Duration.ofNanos(left);
            try (var here = CurrentClaim.enterTransactional(claim);
                    var again = transactions.begin(new TransactionLimits(limit, limit))) {
                var answer = again.tryClaim(request.withNonce(environment.newNonce()));
                if (!(answer instanceof ClaimResponse.LockedByTransaction)) {
                    return Optional.of(answer instanceof ClaimResponse.Found found
                            && found.record().state() == RecordState.COMPLETED
                            && found.record().owner().equals(claim.record().owner()));
                }
            } catch (StoreException away) {
                if (!away.isTransient()) {
                    break;
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
            environment.sleep(PAUSE);
        }
        return Optional.empty();
    }
}
