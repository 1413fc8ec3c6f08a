package dev.refrain.saga;

import dev.refrain.BackgroundWorker;
import dev.refrain.Operation;
import dev.refrain.api.AttentionRequiredException;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.ClientKey;
import dev.refrain.api.InProgressException;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.Payload;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.FlowPosition;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.CompletionQueue;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoreAbility;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.UnfinishedRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * Runs sagas, and lists those that need a person.
 *
 * {@snippet :
 * var sagas = SagaRunner.on(FlowRunner.on(refrain, store.transactions()));
 * Charge charge = sagas.run(place, orderId, request).result("charge", Charge.class);
 * }
 *
 * <p>Start a completer for them on every instance, with {@link FlowRunner#startCompleter} and {@link Saga#asFlow}: without one, an abandoned
 * saga continues only when it is run again. Immutable; safe for use by many threads.
 *
 * @param <C> the connection that a step is given
 */
public final class SagaRunner<C> {

    private static final int PAGE = 500;

    private final FlowRunner<C> flows;

    private SagaRunner(FlowRunner<C> flows) {
        this.flows = flows;
    }

    /** Returns a runner on the Refrain and the transactions of a flow runner. */
    public static <C> SagaRunner<C> on(FlowRunner<C> flows) {
        return new SagaRunner<>(flows);
    }

    /**
     * Runs the saga of an id from the step that it reached, or replays its result if it has ended. For an application without tenants;
     * otherwise see {@link #run(Saga, FlowRequest)}.
     */
    public <R> SagaResult.Completed run(Saga<R, C> saga, String id, R request) throws Exception {
        return run(saga, FlowRequest.of(ClientKey.scope("").key(id), request));
    }

    /**
     * Runs the saga of a scope and an id from the step that it reached, or replays its result if it has ended.
     *
     * @return the results of its steps
     * @throws SagaCompensatedException if a step failed and the saga was compensated
     * @throws SagaStuckException if a step failed and a compensation failed too
     * @throws InProgressException if the saga has not ended: another caller runs it, or it waits for a job
     * @throws RequestMismatchException if the id was used for another request
     * @throws AttentionRequiredException if the outcome is unknown and a person has to resolve it
     * @throws OutcomeNotKeptException if the saga has ended and its results were too large to keep, were erased, or a person resolved its
     *     record
     * @throws Exception if the saga cannot continue now, because the store is away or this instance is shutting down; run it again
     */
    public <R> SagaResult.Completed run(Saga<R, C> saga, FlowRequest<R> request) throws Exception {
        return completed(saga, runForResult(saga, request));
    }

    /**
     * Runs the saga like {@link #run(Saga, FlowRequest)}, with a lease of its own.
     *
     * @param lease how long the next run has to wait after a crash
     */
    public <R> SagaResult.Completed run(Saga<R, C> saga, FlowRequest<R> request, Duration lease) throws Exception {
        return completed(saga, runForResult(saga, request, lease));
    }

    /** Runs the saga of an id and returns every ending as a value. */
    public <R> SagaResult runForResult(Saga<R, C> saga, String id, R request) throws Exception {
        return runForResult(saga, FlowRequest.of(ClientKey.scope("").key(id), request));
    }

    /** Runs the saga of a scope and an id and returns every ending as a value. */
    public <R> SagaResult runForResult(Saga<R, C> saga, FlowRequest<R> request) throws Exception {
        return runForResult(saga, request, Operation.DEFAULT_LEASE);
    }

    /** Runs the saga with a lease of its own and returns every ending as a value. */
    public <R> SagaResult runForResult(Saga<R, C> saga, FlowRequest<R> request, Duration lease) throws Exception {
        return switch (flows.runForResult(saga.asFlow(), request, lease)) {
            case OperationResult.Ran ran -> ended(ran.answer());
            case OperationResult.Replayed replayed ->
                switch (replayed.outcome()) {
                    case Outcome.Answer answer -> {
                        if (!SagaState.isEncodedIn(answer.body().bytes())) {
                            throw new OutcomeNotKeptException(saga.name(), replayed.id());
                        }
                        yield ended(answer);
                    }
                    case Outcome.StateOnly only -> throw new OutcomeNotKeptException(saga.name(), replayed.id());
                };
            case OperationResult.InProgress running -> new SagaResult.Unfinished(running.retryAfter());
            case OperationResult.Mismatch mismatch -> new SagaResult.Mismatch(mismatch.id());
            case OperationResult.Attention attention -> waiting(saga, request, attention.claim());
        };
    }

    private static SagaResult.Completed completed(Saga<?, ?> saga, SagaResult result) {
        return switch (result) {
            case SagaResult.Completed completed -> completed;
            case SagaResult.Compensated compensated -> throw new SagaCompensatedException(saga.name(), compensated);
            case SagaResult.Stuck stuck -> throw new SagaStuckException(saga.name(), stuck);
            case SagaResult.Unfinished running -> throw new InProgressException(saga.name(), running.retryAfter());
            case SagaResult.Mismatch mismatch -> throw new RequestMismatchException(saga.name(), mismatch.id());
            case SagaResult.Attention attention -> throw new AttentionRequiredException(saga.name(), attention.claim());
        };
    }

    /** Lists sagas with failed compensations, oldest first. */
    public List<StuckSaga> stuck(Saga<?, C> saga, int limit) {
        return inAttention(
                saga,
                limit,
                (item, record) -> stuck(record).map(result -> StuckSaga.of(item, saga.outcomeRetention(), result)));
    }

    /**
     * Lists sagas in ATTENTION that wait at a step, oldest first, with the status of each step: release or resolve their records, or have
     * them compensated with {@link #compensate}.
     */
    public List<SagaView> waitingAtStep(Saga<?, C> saga, int limit) {
        return inAttention(
                saga,
                limit,
                (item, record) ->
                        Optional.of(view(saga, item.identity(), record)).filter(SagaView::canBeCompensated));
    }

    private <T> List<T> inAttention(
            Saga<?, C> saga, int limit, BiFunction<AttentionItem, StoredRecord, Optional<T>> select) {
        var operators = flows.refrain().admin();
        var selected = new ArrayList<T>();
        Optional<AttentionItem> last = Optional.empty();
        List<AttentionItem> page;
        do {
            page = last.map(item -> operators.listAttention(item, PAGE)).orElseGet(() -> operators.listAttention(PAGE));
            for (var item : page) {
                if (selected.size() < limit && item.identity().namespace().equals(saga.namespace())) {
                    operators
                            .find(item.identity())
                            .filter(record -> record.claim().equals(item.claim()))
                            .flatMap(record -> select.apply(item, record))
                            .ifPresent(selected::add);
                }
            }
            last = page.isEmpty() ? last : Optional.of(page.getLast());
        } while (page.size() == PAGE && selected.size() < limit);
        return selected;
    }

    /**
     * Has a saga compensated that waits at a step in ATTENTION: because its job was lost, or because nobody wants it any more. The step counts as
     * failed; if its call may have been sent, or its job enqueued, it may have happened and is compensated with the others. A job of our own
     * queue is given up in the same transaction and never runs. The next run or a completer runs the compensations.
     *
     * @param waiting the saga, from {@link #waitingAtStep} or {@link #find}
     * @return false if the saga has changed since it was read, or its job is running now: look at it again
     * @throws IllegalStateException if the saga is being compensated already: {@link #retry} or {@link #abandonCompensation} decide on it
     * @throws Exception if the saga cannot continue now, because the store is away or this instance is shutting down; decide again
     */
    public boolean compensate(Saga<?, C> saga, SagaView waiting, String who, String why) throws Exception {
        if (waiting.status() != SagaView.Status.RUNNING) {
            throw new IllegalStateException("Cannot compensate saga " + saga.name() + ": it is " + waiting.status()
                    + ". Retry or abandon its failed compensations, or release its record.");
        }
        var record = flows.refrain()
                .admin()
                .find(waiting.identity())
                .filter(found -> waiting.canBeCompensated() && found.claim().equals(waiting.claim()));
        if (record.isEmpty()) {
            return false;
        }
        FlowPosition.of(record.get())
                .map(position -> jobsAwaitedAt(saga, position.point()))
                .orElse(List.of())
                .forEach(job -> job.abandonment()
                        .resolveUnknown(
                                ClientKey.scope(waiting.identity().scope())
                                        .key(record.get().id().keyFor(job.name())),
                                who,
                                why));
        return flows.failPhase(
                saga.asFlow(),
                waiting.identity(),
                waiting.claim(),
                new CompensationRequestedException(who, why),
                who,
                why);
    }

    /** Returns the job whose end is awaited at a point, in each version that has one. */
    private static <R, C> List<SagaStep.Job<R, C>> jobsAwaitedAt(Saga<R, C> saga, String point) {
        var jobs = new ArrayList<SagaStep.Job<R, C>>();
        for (var version : Stream.concat(Stream.of(saga), saga.older().stream()).toList()) {
            for (var step : version.steps()) {
                if (step instanceof SagaStep.Job<R, C> job && job.resultPoint().equals(point)) {
                    jobs.add(job);
                }
            }
        }
        return jobs;
    }

    /**
     * Has the failed compensations of a saga retried by its next run or by a completer.
     *
     * @return false if the saga has changed since it was listed
     */
    public boolean retry(StuckSaga stuck, String who, String why) {
        return flows.refrain().admin().release(stuck.claim(), who, why);
    }

    /**
     * Abandons the failed compensations of a saga, which ends as compensated except for them.
     *
     * @return false if the saga has changed since it was listed
     */
    public boolean abandonCompensation(StuckSaga stuck, String who, String why) {
        var operators = flows.refrain().admin();
        var outcome = operators
                .find(stuck.identity())
                .filter(record -> record.claim().equals(stuck.claim()))
                .flatMap(this::state)
                .map(state -> Outcome.Answer.of(SagaFlowBuilder.COMPENSATED, state.encode()));
        return outcome.isPresent()
                && operators.resolve(stuck.claim(), outcome.get(), stuck.outcomeRetention(), who, why);
    }

    /** Lists sagas that have not ended, oldest first: running, delayed, abandoned or waiting for a person. */
    public List<UnfinishedRecord> unfinished(Saga<?, C> saga, int limit) {
        return unfinishedQueue(saga).listUnfinished(saga.namespace(), Duration.ZERO, limit);
    }

    private CompletionQueue unfinishedQueue(Saga<?, C> saga) {
        return StoreAbility.require(
                flows.transactions().store(), CompletionQueue.class, "Listing unfinished sagas " + saga.name());
    }

    /**
     * Finds a saga, with the status of each step.
     *
     * @param id the saga's id as the key, in its scope
     */
    public Optional<SagaView> find(Saga<?, C> saga, ClientKey id) {
        var identity = id.inNamespace(saga.namespace());
        return flows.refrain().admin().find(identity).map(record -> view(saga, identity, record));
    }

    private SagaView view(Saga<?, C> saga, ScopedKey identity, StoredRecord record) {
        var standing = FlowPosition.of(record);
        var ended = record.outcome()
                .map(OutcomeFormat::decode)
                .map(answer -> answer.body().bytes())
                .filter(SagaState::isEncodedIn)
                .map(SagaState::decode);
        var state = ended.or(() -> standing.flatMap(FlowPosition::carriedValue).map(this::carried))
                .orElse(SagaState.BEGUN);
        var next = standing.map(s -> s.point().replaceFirst("\\.result$", ""))
                .or(() -> record.state() == RecordState.COMPLETED
                        ? Optional.empty()
                        : Optional.of(saga.steps().getFirst().name()));
        var names = new LinkedHashSet<String>();
        saga.steps().forEach(step -> names.add(step.name()));
        names.addAll(state.results().keySet());
        var course = ended.isPresent()
                ? state.failure().isPresent() ? SagaView.Status.COMPENSATED : SagaView.Status.COMPLETED
                : record.state() == RecordState.COMPLETED
                        ? SagaView.Status.ENDED
                        : SagaView.Status.at(record.recoveryPoint().orElse(null));
        return new SagaView(
                identity,
                record.claim(),
                record.state(),
                course,
                state.failure(),
                names.stream().map(name -> SagaView.step(name, state, next)).toList());
    }

    private SagaState carried(Payload carried) {
        return SagaState.decode((byte[]) flows.refrain().codec().decode(carried.bytes(), byte[].class));
    }

    /** Lists sagas that take longer than {@link Saga#overdueAfter}, oldest first. */
    public List<UnfinishedRecord> overdue(Saga<?, C> saga, int limit) {
        return unfinishedQueue(saga).listUnfinished(saga.namespace(), saga.overdueAfter(), limit);
    }

    /** Starts a worker that reports overdue sagas to the listener, until it or Refrain is closed. */
    public BackgroundWorker startOverdueMonitor(Duration interval, List<Saga<?, C>> sagas) {
        sagas.forEach(this::unfinishedQueue);
        return flows.refrain()
                .schedule(
                        interval,
                        new OverdueSagaMonitor<>(
                                this, List.copyOf(sagas), flows.refrain().listener()));
    }

    private SagaResult ended(Outcome.Answer answer) {
        var state = SagaState.decode(answer.body().bytes());
        return state.failure()
                .<SagaResult>map(failure ->
                        new SagaResult.Compensated(failure, state.compensated(), state.failedCompensations()))
                .orElseGet(() -> new SagaResult.Completed(state, flows.refrain().codec()));
    }

    private <R> SagaResult waiting(Saga<R, C> saga, FlowRequest<R> request, ClaimRef claim) {
        var identity = request.key().inNamespace(saga.namespace());
        return flows.refrain()
                .admin()
                .find(identity)
                .flatMap(this::stuck)
                .<SagaResult>map(stuck -> stuck)
                .orElseGet(() -> new SagaResult.Attention(claim));
    }

    private Optional<SagaResult.Stuck> stuck(StoredRecord record) {
        return state(record)
                .flatMap(state -> state.failure()
                        .map(failure ->
                                new SagaResult.Stuck(failure, state.compensated(), state.failedCompensations())));
    }

    /** Returns the state of a saga that waits because of a failed compensation. */
    private Optional<SagaState> state(StoredRecord record) {
        return FlowPosition.of(record)
                .filter(standing -> SagaFlowBuilder.isDead(standing.point()))
                .flatMap(FlowPosition::carriedValue)
                .map(this::carried);
    }
}
