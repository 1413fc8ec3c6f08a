package dev.refrain.flow;

import dev.refrain.DelegatedCall;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.ValueCodec;
import dev.refrain.api.OperationResult;
import dev.refrain.api.RefrainException;
import dev.refrain.flow.FlowRun.CallerPresence;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.ledger.LedgerStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Runs flows.
 *
 * {@snippet :
 * var flows = FlowRunner.on(refrain, store.transactions());
 * OperationResult result = flows.attempt(orders, FlowRequest.of(tenant, key, request));
 * }
 *
 * @param <C> how a phase reaches the database
 */
public final class FlowRunner<C> {

    private final Refrain refrain;
    private final StoreTransactionFactory<C> transactions;
    private final FlowContext<C> means;

    private FlowRunner(Refrain refrain, StoreTransactionFactory<C> transactions, FlowContext<C> means) {
        this.refrain = refrain;
        this.transactions = transactions;
        this.means = means;
    }

    /** With the codec that Refrain has by itself. */
    public static <C> FlowRunner<C> on(Refrain refrain, StoreTransactionFactory<C> transactions) {
        return on(refrain, transactions, ValueCodec.standard());
    }

    /** @param codec for requests, what is carried, and bodies of answers */
    public static <C> FlowRunner<C> on(Refrain refrain, StoreTransactionFactory<C> transactions, ValueCodec codec) {
        return new FlowRunner<>(
                refrain, transactions, new FlowContext<>(codec, refrain.environment(), Optional.empty()));
    }

    /** The same for flows whose calls are to be {@link LedgerMapping} in ledgers. */
    public FlowRunner<C> withLedgers(LedgerStore<C> ledgers) {
        return new FlowRunner<>(
                refrain, transactions, new FlowContext<>(means.codec(), means.environment(), Optional.of(ledgers)));
    }

    /**
     * Runs the flow from where it stands, if its key is not settled yet, and otherwise says what is there. It goes by the request that
     * was stored with the key, and by the version that began it.
     *
     * @throws Exception what a phase or a call threw; the key is released, and a retry goes on where it stands
     */
    public <R> OperationResult run(Flow<R, C> flow, FlowRequest<R> request) throws Exception {
        return run(flow, request, Operation.DEFAULT_LEASE);
    }

    /** The same, with a lease of its own: how long a crash delays a retry. */
    public <R> OperationResult run(Flow<R, C> flow, FlowRequest<R> request, Duration lease) throws Exception {
        var operation = refrain.operation(flow.name())
                .namespace(flow.namespace())
                .retention(flow.retention())
                .lease(lease);
        return run(flow, operation, request.call(), request);
    }

    /**
     * Runs the flow for the call that an edge has read on this thread: an HTTP route or a method whose mode is {@code flow}. Key, caller
     * and settings are the edge's, and what comes of it is what the edge answers. It is kept for as long as the edge says, but no shorter
     * than the flow does.
     *
     * @param principal what phases need to know of the caller: data, never tokens
     */
    public <R> OperationResult run(Flow<R, C> flow, R request, Map<String, String> principal) throws Exception {
        var offered = DelegatedCall.current()
                .orElseThrow(() -> new IllegalStateException("No edge offers a call on this thread: give the flow "
                        + flow.name() + " a key by FlowRequest, or call it from a handler whose mode is flow."));
        var operation = offered.operation().minimumRetention(flow.retention());
        flow.requireKeyRetention(operation.retention());
        if (!operation.namespace().equals(flow.namespace())) {
            throw new IllegalStateException("The flow " + flow.name() + " is called for keys of the namespace "
                    + operation.namespace() + ", where a completer would not look for it. Build it with namespace(\""
                    + operation.namespace() + "\").");
        }
        var call = offered.call();
        var asked = new FlowRequest<>(call.scope(), call.key(), request, principal);
        try {
            var result = run(flow, operation, call, asked);
            offered.complete(result);
            return result;
        } catch (RefrainException unknown) {
            offered.fail(unknown);
            throw unknown;
        }
    }

    /** The same where nothing of the caller is needed but its scope. */
    public <R> OperationResult run(Flow<R, C> flow, R request) throws Exception {
        return run(flow, request, Map.of());
    }

    private <R> OperationResult run(Flow<R, C> flow, Operation<?> operation, OperationCall call, FlowRequest<R> request)
            throws Exception {
        return operation
                .minimumLease(flow.leastLease())
                .phased(transactions)
                .run(
                        call,
                        FlowRequest.StoredRequest.of(request, flow.name(), flow.version(), means.codec()),
                        claim -> FlowRun.of(
                                        flow, FlowRequest.StoredRequest.of(claim), means, claim, CallerPresence.PRESENT)
                                .run());
    }

    public Refrain refrain() {
        return refrain;
    }

    public StoreTransactionFactory<C> transactions() {
        return transactions;
    }

    public ValueCodec codec() {
        return means.codec();
    }

    /**
     * Finishes these flows without their callers from now on, until it or Refrain is closed. To be started on every instance: of many
     * that look at once, one finds a flow.
     */
    public Completer startCompleter(CompleterSettings settings, List<Flow<?, C>> flows) {
        return Completer.started(refrain, transactions, means, settings, flows);
    }

    /** The same with the defaults. */
    public Completer startCompleter(List<Flow<?, C>> flows) {
        return startCompleter(CompleterSettings.DEFAULT, flows);
    }
}
