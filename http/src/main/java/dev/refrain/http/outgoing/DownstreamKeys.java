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

/**
 * The key that a call to another system carries. It is derived from the record of the operation that this thread works under and
 * from the step's name: the same for every retry, resumption and crash, and new after the record has expired.
 *
 * <p>A step that is not named is the method and address of the call, once in a run. A second such call is refused: it may be another
 * attempt, or another call, and only its author knows. Named steps may be sent as often as need be. Thread-safe.
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
     * The value of the header for a call that is about to be made; empty for one that changes nothing, and outside of operations.
     *
     * @param step its name, if it has one
     * @throws CallInTransactionException if it would be made inside a transactional operation
     * @throws UnnamedStepException if it has no name and was called before in this run
     */
    public Optional<String> keyHeaderFor(String method, URI address, Optional<String> step) {
        return keyHeaderFor(method, address, step, CurrentClaim.get());
    }

    /**
     * The same for work that moves between threads.
     *
     * @param claim under which the call is made
     */
    public Optional<String> keyHeaderFor(String method, URI address, Optional<String> step, Optional<Claim> claim) {
        if (CurrentClaim.inTransaction()) {
            String call = method + " " + address.getHost() + address.getPath();
            if (insideTransaction == CallInTransactionPolicy.REFUSE) {
                throw new CallInTransactionException(call);
            }
            LOG.log(
                    System.Logger.Level.WARNING,
                    call
                            + " is sent from inside a transactional operation: if the commit fails afterwards, it cannot be taken back.");
        }
        if (!CHANGING.contains(method)) {
            return Optional.empty();
        }
        return claim.map(under -> under.derivedKey(step.orElseGet(() -> unnamed(under, method, address))))
                .map(key -> StringItem.valueOf(key).serialize());
    }

    private String unnamed(Claim claim, String method, URI address) {
        String call = method + " " + address.getScheme() + "://" + address.getRawAuthority() + address.getRawPath();
        if (!calls.computeIfAbsent(claim, c -> ConcurrentHashMap.newKeySet()).add(call)) {
            throw new UnnamedStepException(call);
        }
        return call;
    }
}
