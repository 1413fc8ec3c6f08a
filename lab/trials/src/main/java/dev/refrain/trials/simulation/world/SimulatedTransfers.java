package dev.refrain.trials.simulation.world;

import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.Retention;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.ForeignCall;
import dev.refrain.flow.LedgerEntryMapping;
import dev.refrain.flow.PhaseResult;
import dev.refrain.reconcile.Reconciler;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.ledger.LedgerFinding;
import dev.refrain.store.ledger.LedgerFinding.FindingKind;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.trials.simulation.law.SimulationEvent;
import dev.refrain.trials.simulation.machine.SeededRandom;
import dev.refrain.trials.simulation.world.SimulatedLedgerBank.SentStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Flows of one process that pay at a bank with a ledger, and the reconciler that compares both sides. */
final class SimulatedTransfers {

    private static final String LEDGER = "bank";
    private static final String PAY = "pay";
    private static final int PAID = 201;
    private static final int DECLINED = 402;

    private final SimulatedWorld world;
    private final SimulatedProcess process;
    private final LedgerPlan plan;
    private final SimulatedLedgerBank bank;
    private final Refrain refrain;
    private final FlowRunner<SimulatedDatabase.Bookings> flows;
    private final Flow<String, String, SimulatedDatabase.Bookings> flow;
    private final Reconciler reconciler;

    SimulatedTransfers(
            SimulatedWorld world,
            SimulatedProcess process,
            SeededRandom chance,
            Refrain refrain,
            FlowRunner<SimulatedDatabase.Bookings> runner) {
        this.world = world;
        this.process = process;
        this.refrain = refrain;
        plan = world.plan().ledgers().orElseThrow();
        bank = world.ledgerBank();
        ReconciliationStore<SimulatedDatabase.Bookings> ledgers =
                world.tampering().ledger().over(new SimulatedLedgers(world.ledgerTable(), process.line()));
        flows = runner.withLedgers(ledgers);
        flow = flow(chance);
        flows.startCompleter(world.plan().completion(), List.of(flow));
        reconciler = Reconciler.on(refrain, ledgers);
        reconciler.schedule(
                plan.interval(),
                LEDGER,
                (since, cursor, limit) -> bank.read(process.foreign(), since, Optional.ofNullable(cursor), limit),
                plan.settings());
    }

    private Flow<String, String, SimulatedDatabase.Bookings> flow(SeededRandom chance) {
        LedgerEntryMapping<String, String> entry = LedgerEntryMapping.<String, String>inLedger(
                        LEDGER, at -> SimulatedLedgerBank.AMOUNT)
                .exceptWhen(SimulatedLedgerBank.DECLINED::equals);
        return Flow.of(LedgerPlan.NAME, String.class, String.class, SimulatedDatabase.Bookings.class)
                .retention(Retention.of(Duration.ofDays(7)))
                .phase("started", (tx, at) -> {
                    process.domain().nap(chance.upTo(Duration.ofMillis(chance.oneIn(4) ? 4_000 : 20)));
                    return PhaseResult.goTo(PAY);
                })
                .foreignCall(
                        PAY,
                        plan.honoursKeys()
                                ? Downstream.<ForeignCall<String>, String>honoursKeysForEver()
                                : Downstream.<ForeignCall<String>, String>notRetryable(),
                        entry,
                        plan.within(),
                        call -> bank.pay(process.foreign(), call.key()),
                        (tx, at, answer) -> answer.equals(SimulatedLedgerBank.DECLINED)
                                ? PhaseResult.fail(DECLINED, answer)
                                : PhaseResult.finish(PAID, answer))
                .build();
    }

    /** Runs a transfer for a client, which may be gone before it ends. */
    void run(String id) {
        try {
            var result = flows.runForResult(
                    flow, FlowRequest.of(ClientKey.scope(LedgerPlan.SCOPE).key(id), "usual"), plan.lease());
            process.domain().trace(() -> id + " ends: " + result);
        } catch (Exception failure) {
            process.domain().trace(() -> id + " fails: " + failure);
        }
    }

    /** Compares what the reconciler found with what happened. */
    void look() {
        Map<String, SentStatus> sent = new HashMap<>();
        for (var transfer : plan.transfers()) {
            refrain.admin()
                    .find(transfer)
                    .ifPresent(record -> status(record)
                            .ifPresent(status -> sent.put(record.id().keyFor(PAY), status)));
        }
        Map<String, FindingKind> found = new HashMap<>();
        for (LedgerFinding finding : reconciler.findings(LEDGER, Integer.MAX_VALUE)) {
            found.put(finding.key(), finding.kind());
        }
        world.law().check(new SimulationEvent.LedgerSeen(bank.truth(sent), found));
    }

    /** Returns what a flow knows of its call; nothing if it was not sent, or was declined. */
    private static Optional<SentStatus> status(StoredRecord record) {
        if (record.state() == RecordState.COMPLETED) {
            return record.outcome()
                    .map(OutcomeFormat::decode)
                    .filter(answer -> answer.status() == PAID)
                    .map(answer -> SentStatus.CONFIRMED);
        }
        return record.recoveryPoint().filter(RecoveryPoint::callMayBeSent).map(point -> SentStatus.UNKNOWN);
    }
}
