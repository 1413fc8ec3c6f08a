package dev.refrain.saga;

import dev.refrain.BackgroundWorker;
import dev.refrain.Operation;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
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

/**
 * Runs sagas, and lists those that people have to look at.
 *
 * {@snippet :
 * var sagas = SagaRunner.on(FlowRunner.on(refrain, store.transactions()));
 * SagaResult result = sagas.run(place, orderId, request);
 * }
 *
 * <p>Have a {@link FlowRunner#startCompleter} finish them on every instance ({@link Saga#asFlow}): without one, a saga that was abandoned goes on only
 * if somebody runs it again.
 *
 * @param <C> how a step reaches the database
 */
public final class SagaRunner<C> {

    private static final int PAGE = 500;

    private final FlowRunner<C> flows;

    private SagaRunner(FlowRunner<C> flows) {
        this.flows = flows;
    }

    public static <C> SagaRunner<C> on(FlowRunner<C> flows) {
        return new SagaRunner<>(flows);
    }

    /**
     * Runs the saga of that id from where it stands, and otherwise says how it ended.
     *
     * @throws Exception if it cannot go on now, because the store is away or this instance is shutting down; to be run again
     */
    public <R> SagaResult run(Saga<R, C> saga, String id, R request) throws Exception {
        return run(saga, FlowRequest.of("", id, request));
    }

    /** The same for somebody (tenant, account), and with what is to be known of the caller. */
    public <R> SagaResult run(Saga<R, C> saga, FlowRequest<R> request) throws Exception {
        return run(saga, request, Operation.DEFAULT_LEASE);
    }

    /** The same, with a lease of its own: how long a crash delays whoever goes on. */
    public <R> SagaResult run(Saga<R, C> saga, FlowRequest<R> request, Duration lease) throws Exception {
        return switch (flows.runForResult(saga.asFlow(), request, lease)) {
            case OperationResult.Ran ran -> ended(ran.answer());
            case OperationResult.Replayed replayed -> ended(replayed.outcome());
            case OperationResult.InProgress running -> new SagaResult.Unfinished(running.retryAfter());
            case OperationResult.Mismatch mismatch -> new SagaResult.Mismatch(mismatch.id());
            case OperationResult.Attention attention -> waiting(saga, request, attention);
        };
    }

    /** Sagas that could not be undone wholly, oldest first; pass the last one of a page to get the next. */
    public List<StuckSaga> stuck(Saga<?, C> saga, int limit) {
        var operators = flows.refrain().admin();
        var stuck = new ArrayList<StuckSaga>();
        Optional<AttentionItem> last = Optional.empty();
        List<AttentionItem> page;
        do {
            page = last.map(item -> operators.listAttention(item, PAGE)).orElseGet(() -> operators.listAttention(PAGE));
            for (var item : page) {
                if (stuck.size() < limit
                        && item.identity().namespace().equals(saga.asFlow().namespace())) {
                    operators
                            .find(item.identity())
                            .filter(record -> record.claim().equals(item.claim()))
                            .flatMap(this::stuck)
                            .ifPresent(result -> stuck.add(StuckSaga.of(item, saga.outcomeRetention(), result)));
                }
            }
            last = page.isEmpty() ? last : Optional.of(page.getLast());
        } while (page.size() == PAGE && stuck.size() < limit);
        return stuck;
    }

    /** Has what could not be undone tried again, by whoever runs the saga next. False if it moved on since it was looked at. */
    public boolean retry(StuckSaga stuck, String who, String why) {
        return flows.refrain().admin().release(stuck.claim(), who, why);
    }

    /** Leaves it as it is: the saga has ended, compensated but for what could not be. False if it moved on meanwhile. */
    public boolean abandonCompensation(StuckSaga stuck, String who, String why) {
        var operators = flows.refrain().admin();
        var outcome = operators
                .find(stuck.identity())
                .filter(record -> record.claim().equals(stuck.claim()))
                .flatMap(this::state)
                .map(state -> Outcome.Answer.of(SagaFlowBuilder.COMPENSATED, state.encode()));
        return outcome.isPresent() && operators.resolve(stuck.claim(), outcome.get(), stuck.outcomeKept(), who, why);
    }

    /** Those that have not ended, oldest first: running, put off, abandoned or waiting for a decision. */
    public List<UnfinishedRecord> unfinished(Saga<?, C> saga, int limit) {
        return unfinishedQueue(saga).listUnfinished(saga.asFlow().namespace(), Duration.ZERO, limit);
    }

    private CompletionQueue unfinishedQueue(Saga<?, C> saga) {
        return StoreAbility.require(
                flows.transactions().store(), CompletionQueue.class, "Listing unfinished sagas " + saga.name());
    }

    /** One saga, step by step; empty if there is none of that id, or none any more. */
    public Optional<SagaView> find(Saga<?, C> saga, String scope, String id) {
        var identity = new ScopedKey(scope, saga.asFlow().namespace(), id);
        return flows.refrain().admin().find(identity).map(record -> view(saga, identity, record));
    }

    private SagaView view(Saga<?, C> saga, ScopedKey identity, StoredRecord record) {
        var standing = FlowPosition.of(record);
        var ended = record.outcome()
                .map(OutcomeFormat::decode)
                .map(answer -> SagaState.decode(answer.body().bytes()));
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
                        : SagaView.Status.at(record.recoveryPoint());
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

    /** Those that take longer than they may, oldest first: running, put off, abandoned or waiting for a decision. */
    public List<UnfinishedRecord> overdue(Saga<?, C> saga, int limit) {
        return unfinishedQueue(saga).listUnfinished(saga.asFlow().namespace(), saga.overdueAfter(), limit);
    }

    /** Reports overdue sagas now and then, until it or Refrain is closed. */
    public BackgroundWorker startOverdueMonitor(Duration every, List<Saga<?, C>> sagas) {
        sagas.forEach(this::unfinishedQueue);
        return flows.refrain()
                .schedule(
                        every,
                        new OverdueSagaMonitor<>(
                                this, List.copyOf(sagas), flows.refrain().listener()));
    }

    private SagaResult ended(Outcome outcome) {
        if (!(outcome instanceof Outcome.Answer answer)) {
            throw new IllegalStateException(
                    "The saga has ended, but how is not kept: its results were too large, or were erased.");
        }
        var state = SagaState.decode(answer.body().bytes());
        return state.failure()
                .<SagaResult>map(failure ->
                        new SagaResult.Compensated(failure, state.compensated(), state.failedCompensations()))
                .orElseGet(() -> new SagaResult.Completed(state, flows.refrain().codec()));
    }

    private <R> SagaResult waiting(Saga<R, C> saga, FlowRequest<R> request, OperationResult.Attention attention) {
        var identity = new ScopedKey(request.scope(), saga.asFlow().namespace(), request.key());
        return flows.refrain()
                .admin()
                .find(identity)
                .flatMap(this::stuck)
                .<SagaResult>map(stuck -> stuck)
                .orElseGet(() -> new SagaResult.Attention(attention.claim()));
    }

    private Optional<SagaResult.Stuck> stuck(StoredRecord record) {
        return state(record)
                .flatMap(state -> state.failure()
                        .map(failure ->
                                new SagaResult.Stuck(failure, state.compensated(), state.failedCompensations())));
    }

    /** Of one that waits because of a compensation; others that wait have another reason. */
    private Optional<SagaState> state(StoredRecord record) {
        return FlowPosition.of(record)
                .filter(standing -> SagaFlowBuilder.isDead(standing.point()))
                .flatMap(FlowPosition::carriedValue)
                .map(this::carried);
    }
}
