package dev.refrain.trials.simulation.world;

import dev.refrain.store.Store;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.trials.simulation.law.SimulatedGuarantee;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * Mutation of a world before it runs; none, unless the rules themselves are tested.
 *
 *
 * @param store what is made of the store, whose clock it may read
 * @param outbox what is made of the messages
 * @param declared what another system is said to offer, by what it does offer
 * @param maxRun the maximum run time that transactional runs are given, by the one that was agreed
 * @param forgetsJoined whether records that join a phase or a delivery are not written with it
 * @param ledger what is made of the ledgers
 * @param jobs what the lookup of a job is said to have found
 */
public record SimulationMutation(
        BiFunction<Store, InstantSource, Store> store,
        OutboxMutation outbox,
        UnaryOperator<SimulatedGuarantee> declared,
        UnaryOperator<Duration> maxRun,
        boolean forgetsJoined,
        LedgerMutation ledger,
        JobLookupMutation jobs) {

    public static final SimulationMutation NONE = new SimulationMutation(
            (store, clock) -> store,
            OutboxMutation.NOTHING,
            UnaryOperator.identity(),
            UnaryOperator.identity(),
            false,
            LedgerMutation.NOTHING,
            JobLookupMutation.NOTHING);

    /** Mutation of the outbox as each process sees it. */
    public interface OutboxMutation {

        OutboxMutation NOTHING = new OutboxMutation() {
            @Override
            public <C> OutboxStore<C> over(OutboxStore<C> outbox) {
                return outbox;
            }
        };

        <C> OutboxStore<C> over(OutboxStore<C> outbox);
    }

    /** Mutation of the ledgers as each process sees them. */
    public interface LedgerMutation {

        LedgerMutation NOTHING = new LedgerMutation() {
            @Override
            public <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers) {
                return ledgers;
            }
        };

        <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers);
    }

    /** Mutation of what a saga hears of a job in another queue. */
    public enum JobLookupMutation {
        NOTHING,
        /** A job that failed and may have happened is said not to have happened. */
        DOUBT_IS_FORGOTTEN,
        /** A job whose outcome is unknown is said not to have happened. */
        UNKNOWN_IS_FAILED
    }

    public static SimulationMutation withStore(UnaryOperator<Store> store) {
        return withStoreAndClock((sound, clock) -> store.apply(sound));
    }

    public static SimulationMutation withStoreAndClock(BiFunction<Store, InstantSource, Store> store) {
        return new SimulationMutation(store, NONE.outbox, NONE.declared, NONE.maxRun, false, NONE.ledger, NONE.jobs);
    }

    public static SimulationMutation withOutbox(OutboxMutation outbox) {
        return new SimulationMutation(NONE.store, outbox, NONE.declared, NONE.maxRun, false, NONE.ledger, NONE.jobs);
    }

    public static SimulationMutation declaring(UnaryOperator<SimulatedGuarantee> declared) {
        return new SimulationMutation(NONE.store, NONE.outbox, declared, NONE.maxRun, false, NONE.ledger, NONE.jobs);
    }

    public static SimulationMutation withTransactionRunTime(UnaryOperator<Duration> maxRun) {
        return new SimulationMutation(NONE.store, NONE.outbox, NONE.declared, maxRun, false, NONE.ledger, NONE.jobs);
    }

    public static SimulationMutation forgettingJoined() {
        return new SimulationMutation(
                NONE.store, NONE.outbox, NONE.declared, NONE.maxRun, true, NONE.ledger, NONE.jobs);
    }

    public static SimulationMutation withLedger(LedgerMutation ledger) {
        return new SimulationMutation(NONE.store, NONE.outbox, NONE.declared, NONE.maxRun, false, ledger, NONE.jobs);
    }

    public static SimulationMutation withJobs(JobLookupMutation jobs) {
        return new SimulationMutation(NONE.store, NONE.outbox, NONE.declared, NONE.maxRun, false, NONE.ledger, jobs);
    }
}
