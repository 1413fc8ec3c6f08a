package dev.refrain.flow;

import dev.refrain.DelegatedCall;
import dev.refrain.Operation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.ClientKey;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.OutcomeUnknownException;
import dev.refrain.api.RecordId;
import dev.refrain.api.RefrainException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.UnreadableOutcomeException;
import dev.refrain.flow.FlowRun.CallerPresence;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.phase.PhasedClaim;
import dev.refrain.store.EscalatedRecord;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.ledger.ReconciliationStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Runs flows, and completes those that their callers abandoned.
 *
 * {@snippet :
 * var flows = FlowRunner.on(refrain, store.transactions());
 * flows.startCompleter(List.of(orders));
 * Receipt receipt = flows.run(orders, FlowRequest.of(ClientKey.scope(tenant).key(key), request));
 * }
 *
 * <p>Uses the codec, listener and environment of its {@link Refrain}. Immutable; safe for use by many threads.
 *
 * @param <C> the connection that a phase is given
 */
public final class FlowRunner<C> {

    private final Refrain refrain;
    private final StoreTransactionFactory<C> transactions;
    private final FlowContext<C> context;

    private FlowRunner(Refrain refrain, StoreTransactionFactory<C> transactions, FlowContext<C> context) {
        this.refrain = refrain;
        this.transactions = transactions;
        this.context = context;
    }

    /**
     * Returns a runner whose phases use these transactions.
     *
     * @throws IllegalArgumentException if they belong to another store than the Refrain, such as the store inside an encrypting one
     */
    public static <C> FlowRunner<C> on(Refrain refrain, StoreTransactionFactory<C> transactions) {
        refrain.requireOwnTransactions(transactions, "Cannot run flows");
        return new FlowRunner<>(
                refrain, transactions, new FlowContext<>(refrain.codec(), refrain.environment(), Optional.empty()));
    }

    /** Returns a runner that also writes down the calls that have a {@link LedgerEntryMapping}, for the reconciler. */
    public FlowRunner<C> withLedgers(ReconciliationStore<C> ledgers) {
        return new FlowRunner<>(
                refrain, transactions, new FlowContext<>(context.codec(), context.environment(), Optional.of(ledgers)));
    }

    /**
     * Runs the flow from the point that it reached, or replays its result if it has ended. The request that was stored with the key is
     * used, and the version of the flow that began it.
     *
     * @throws FlowFailedException if the flow ended with a failure ({@link PhaseResult#fail})
     * @throws InProgressException if another caller is running this key, or a phase asked to be retried later
     * @throws RequestMismatchException if the key was used for another request
     * @throws AttentionRequiredException if the outcome is unknown and a person has to resolve it
     * @throws OutcomeNotKeptException if the flow has ended and its result was too large to keep, or was erased
     * @throws Exception thrown by a phase or a call; the key is released, and a retry continues at the point that was reached
     */
    public <R, T> T run(Flow<R, T, C> flow, FlowRequest<R> request) throws Exception {
        return decode(flow, runForResult(flow, request));
    }

    /**
     * Runs the flow like {@link #run(Flow, FlowRequest)}, with a lease of its own.
     *
     * @param lease how long a retry has to wait after a crash
     */
    public <R, T> T run(Flow<R, T, C> flow, FlowRequest<R> request, Duration lease) throws Exception {
        return decode(flow, runForResult(flow, request, lease));
    }

    /** Runs the flow and returns every ending as a value, for code that translates it into an answer of its own. */
    public <R> OperationResult runForResult(Flow<R, ?, C> flow, FlowRequest<R> request) throws Exception {
        return runForResult(flow, request, Operation.DEFAULT_LEASE);
    }

    /** Runs the flow with a lease of its own and returns every ending as a value. */
    public <R> OperationResult runForResult(Flow<R, ?, C> flow, FlowRequest<R> request, Duration lease)
            throws Exception {
        var operation = refrain.operation(flow.name())
                .namespace(flow.namespace())
                .retention(flow.retention())
                .lease(lease);
        return runForResult(flow, operation, request.call(), request, claim -> {});
    }

    /**
     * Runs the flow for the call that an edge has read on this thread: an HTTP route or a method whose mode is {@code flow}. Key, scope
     * and settings are the edge's, and the edge answers with the outcome of the flow. The record is kept as long as the edge says, but no
     * shorter than the flow does.
     *
     * @param principal data about the caller that phases need; never tokens
     * @throws IllegalStateException if no edge offers a call on this thread, or its namespace is not the flow's
     */
    public <R> OperationResult runForCurrentCall(Flow<R, ?, C> flow, R request, Map<String, String> principal)
            throws Exception {
        return runOffered(flow, request, principal, UnaryOperator.identity());
    }

    /**
     * Runs the flow for the current call like {@link #runForCurrentCall(Flow, Object, Map)}, with the person it is about, whose flow, and
     * whatever that leaves behind, can be erased.
     *
     * @param subject the id of the person, as in {@link FlowRequest#withSubject}
     */
    public <R> OperationResult runForCurrentCall(
            Flow<R, ?, C> flow, R request, Map<String, String> principal, String subject) throws Exception {
        return runOffered(flow, request, principal, call -> call.withSubject(subject));
    }

    private <R> OperationResult runOffered(
            Flow<R, ?, C> flow, R request, Map<String, String> principal, UnaryOperator<OperationCall> subject)
            throws Exception {
        var offered = DelegatedCall.current()
                .orElseThrow(() -> new IllegalStateException("Cannot run flow " + flow.name()
                        + " for the current call: no edge has read one on this thread. Call it from a handler whose mode is"
                        + " flow, or pass a key with FlowRequest.of(ClientKey.scope(scope).key(key), request)."));
        var operation = offered.operation().minimumRetention(flow.retention());
        flow.requireKeyRetention(operation.retention());
        if (!operation.namespace().equals(flow.namespace())) {
            throw new IllegalStateException("Cannot run flow " + flow.name() + " for a key of the namespace "
                    + operation.namespace() + ": its completer looks in " + flow.namespace()
                    + ". Build the flow with namespace(\"" + operation.namespace() + "\").");
        }
        var call = subject.apply(offered.call());
        var flowRequest = FlowRequest.of(call, request, principal);
        var begun = new AtomicReference<@Nullable RecordId>();
        try {
            var result = runForResult(flow, operation, call, flowRequest, claim -> begun.set(claim.recordId()));
            offered.complete(result);
            return result;
        } catch (RefrainException unknown) {
            offered.fail(explained(unknown, flow, begun.get()));
            throw unknown;
        }
    }

    /** Says of a phase's or a call's own exception that the flow ran; those of Refrain itself say so already. */
    private static RefrainException explained(RefrainException failure, Flow<?, ?, ?> flow, @Nullable RecordId begun) {
        boolean ofRefrain = failure instanceof StoreException
                || failure instanceof UnreadableOutcomeException
                || failure instanceof OutcomeUnknownException;
        return begun == null || ofRefrain
                ? failure
                : new OutcomeUnknownException(flow.name(), begun, "a phase or a call failed.", failure);
    }

    /** Runs the flow for the current call, with no data about the caller but its scope. */
    public <R> OperationResult runForCurrentCall(Flow<R, ?, C> flow, R request) throws Exception {
        return runForCurrentCall(flow, request, Map.of());
    }

    private <R> OperationResult runForResult(
            Flow<R, ?, C> flow,
            Operation<?> operation,
            OperationCall call,
            FlowRequest<R> request,
            Consumer<PhasedClaim<C>> begun)
            throws Exception {
        requireStorable(flow);
        var unknown = new AtomicReference<@Nullable EffectUnknownException>();
        var result = operation
                .minimumLease(flow.minimumLease())
                .phased(transactions)
                .run(
                        call,
                        FlowRequest.StoredRequest.of(request, flow.name(), flow.version(), context.codec()),
                        claim -> {
                            begun.accept(claim);
                            try {
                                return FlowRun.of(
                                                flow,
                                                FlowRequest.StoredRequest.of(claim),
                                                context,
                                                claim,
                                                CallerPresence.PRESENT)
                                        .run();
                            } catch (Exception failure) {
                                EffectUnknownException.findIn(failure).ifPresent(unknown::set);
                                throw failure;
                            }
                        });
        var reason = unknown.get();
        if (reason != null && result instanceof OperationResult.Attention attention) {
            reportEscalated(flow, operation, call, attention, reason);
        }
        return result;
    }

    /** Refuses a flow whose request could not be read back, or whose result could not be replayed, before it claims a key. */
    private void requireStorable(Flow<?, ?, C> flow) {
        refrain.requireStorable(flow.type(), "Cannot run " + flow.name() + ", whose request is stored");
        refrain.requireStorable(flow.resultType().type(), "Cannot run " + flow.name() + ", whose result is stored");
    }

    /** Reports a flow that came to attention in this call; one that a completer moves there is reported by that. */
    private void reportEscalated(
            Flow<?, ?, C> flow,
            Operation<?> operation,
            OperationCall call,
            OperationResult.Attention attention,
            EffectUnknownException reason) {
        var record = new EscalatedRecord(
                call.operationName().or(() -> Optional.of(flow.name())),
                ClientKey.scope(call.scope()).key(call.key()).inNamespace(operation.namespace()),
                attention.claim().id());
        String why = String.valueOf(reason.getMessage());
        refrain.listener()
                .onEvent(new RefrainEvent.Escalated(
                        List.of(record), 0, why.endsWith(".") ? why.substring(0, why.length() - 1) : why));
    }

    /**
     * Fails the phase at which a flow in ATTENTION waits, as a person decided: its failure phase ({@link Flow.Builder#onFailure}) is committed in
     * its place, and the next run or a completer continues the flow. Audited.
     *
     * @param seen the claim of the record, as it was read or listed
     * @param cause the failure that the failure phase gets; a foreign call that was announced may have taken effect
     * @return false if the flow has changed since it was read, or another run continued it first: look at it again
     * @throws IllegalStateException if the phase has no failure phase; nothing was done
     * @throws Exception thrown by the failure phase; the flow is resumed where it was
     */
    public <R> boolean failPhase(
            Flow<R, ?, C> flow, ScopedKey identity, ClaimRef seen, Exception cause, String who, String why)
            throws Exception {
        return new PhaseFailureDecision<>(flow, refrain, transactions, context).apply(identity, seen, cause, who, why);
    }

    @SuppressWarnings("NullAway") // T admits null exactly if the flow finished with null.
    private <T> T decode(Flow<?, T, C> flow, OperationResult result) {
        return new FlowResultDecoder<>(flow.name(), flow.resultType(), context.codec()).decode(result);
    }

    /** Returns the Refrain that flows run on. */
    public Refrain refrain() {
        return refrain;
    }

    /** Returns the transactions that phases run in. */
    public StoreTransactionFactory<C> transactions() {
        return transactions;
    }

    /**
     * Starts a completer that finishes these flows when their callers are gone, until it or Refrain is closed. Start one on every
     * instance: each abandoned flow is found by one of them.
     *
     * @throws IllegalArgumentException if the codec can never write or read the request or the result of a flow
     */
    public Completer startCompleter(CompleterSettings settings, List<Flow<?, ?, C>> flows) {
        flows.forEach(this::requireStorable);
        return Completer.started(refrain, transactions, context, settings, flows);
    }

    /** Starts a completer with {@link CompleterSettings#DEFAULT}. */
    public Completer startCompleter(List<Flow<?, ?, C>> flows) {
        return startCompleter(CompleterSettings.DEFAULT, flows);
    }
}
