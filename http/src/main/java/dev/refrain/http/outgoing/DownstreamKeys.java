package dev.refrain.http.outgoing;

import dev.refrain.api.Claim;
import dev.refrain.api.CurrentClaim;
import java.net.URI;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import org.greenbytes.http.sfv.StringItem;
import org.jspecify.annotations.Nullable;

/**
 * Derives the idempotency keys of calls to other systems. A key is derived from the current operation's record and the step's
 * name: it is the same across retries, resumption and crashes, and new once the record has expired.
 *
 * <p>A step without a name is identified by the method and address of the call, once per run. A second such call is rejected,
 * since only its author knows whether it is another attempt or another call. Named steps may be sent any number of times.
 * Thread-safe.
 */
public final class DownstreamKeys {

    public static final String HEADER = "Idempotency-Key";

    private static final System.Logger LOG = System.getLogger(DownstreamKeys.class.getName());
    private static final Set<String> CHANGING = Set.of("POST", "PATCH", "PUT", "DELETE");

    private final CallInTransactionPolicy insideTransaction;
    private final Map<Claim, Set<String>> calls = Collections.synchronizedMap(new WeakHashMap<>());

    public DownstreamKeys(CallInTransactionPolicy insideTransaction) {
        this.insideTransaction = insideTransaction;
    }

    /**
     * Returns the header value for a call that is about to be made; empty for a safe method and outside of operations.
     *
     * @param step the step's name; null if it has none
     * @throws CallInTransactionException if the call would be made inside a transactional operation
     * @throws UnnamedStepException if the step has no name and was already called in this run
     */
    public Optional<String> keyHeaderFor(String method, URI address, @Nullable String step) {
        return keyHeaderFor(method, address, step, CurrentClaim.get().orElse(null));
    }

    /**
     * Returns the header value for work that moves between threads.
     *
     * @param claim the claim under which the call is made; null if there is none
     */
    public Optional<String> keyHeaderFor(String method, URI address, @Nullable String step, @Nullable Claim claim) {
        if (CurrentClaim.inTransaction()) {
            String call = method + " " + address.getHost() + address.getPath();
            if (insideTransaction == CallInTransactionPolicy.REFUSE) {
                throw new CallInTransactionException(call);
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    call
                            + " is sent inside a transactional operation: if the commit fails afterwards, the call cannot be rolled back.");
        }
        if (claim == null || !CHANGING.contains(method)) {
            return Optional.empty();
        }
        String key = claim.derivedKey(step == null ? unnamed(claim, method, address) : step);
        return Optional.of(StringItem.valueOf(key).serialize());
    }

    private String unnamed(Claim claim, String method, URI address) {
        String call = method + " " + address.getScheme() + "://" + address.getRawAuthority() + address.getRawPath();
        if (!calls.computeIfAbsent(claim, c -> ConcurrentHashMap.newKeySet()).add(call)) {
            throw new UnnamedStepException(call);
        }
        return call;
    }
}
