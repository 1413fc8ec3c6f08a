package dev.refrain.trials.crashes;

import dev.refrain.crash.CrashableFlow.Recovery;
import dev.refrain.crash.EffectChecks;
import dev.refrain.crash.ForkedProcessTrial;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.ledger.LedgerFinding;
import java.util.List;
import java.util.Optional;

/**
 * Trial of one order, during which its process is killed once.
 *
 *
 * @param key names it everywhere: in the store, in the tables and at the provider
 * @param blind whether the provider is one that knows no keys and cannot be asked
 */
record OrderTrial(
        OrderDatabase database, int providerPort, String key, ChargeScenario charge, Recovery recovery, boolean blind)
        implements ForkedProcessTrial {

    static final String SCOPE = "shop";
    static final long PRICE = 700;

    @Override
    public List<String> arguments() {
        return List.of(
                database.url(),
                Integer.toString(providerPort),
                key,
                charge.name(),
                recovery.name(),
                Boolean.toString(blind));
    }

    static OrderTrial of(List<String> arguments) {
        return new OrderTrial(
                new OrderDatabase(arguments.get(0)),
                Integer.parseInt(arguments.get(1)),
                arguments.get(2),
                ChargeScenario.valueOf(arguments.get(3)),
                Recovery.valueOf(arguments.get(4)),
                Boolean.parseBoolean(arguments.get(5)));
    }

    /** Checks the effects of the order; one that was never claimed is the client's to retry. */
    @Override
    public void check(EffectChecks checks) throws Exception {
        try (var books = new OrderEvidence(this)) {
            var record = books.record();
            checks.require(record.isPresent() || recovery == Recovery.COMPLETER, "the key is lost");
            long asked = record.isPresent() ? 1 : 0;
            checks.exactly("order", asked, database.count("orders", key));
            if (record.filter(r -> r.state() == RecordState.ATTENTION).isPresent()) {
                checkUnknown(checks, books.reconciled(), record.get());
            } else {
                long paid = charge == ChargeScenario.DECLINED ? 0 : asked;
                checks.exactly("charge", paid, charges());
                checks.exactly("receipt", paid, database.count("receipts", key));
                record.ifPresent(r -> checkAnswer(checks, r));
                checks.require(books.reconciled().isEmpty(), "the reconciler finds what is all right");
            }
        }
    }

    /** Checks a charge whose outcome only the provider knows: the reconciler finds it, or finds that it is missing. */
    private void checkUnknown(EffectChecks checks, List<LedgerFinding> found, StoredRecord record) throws Exception {
        checks.require(blind, "waits for a decision although the provider knows keys");
        checks.atMostOnce("charge", charges());
        checks.exactly("receipt", 0, database.count("receipts", key));
        var side = charges() == 0 ? LedgerFinding.FindingKind.ONLY_OURS : LedgerFinding.FindingKind.UNRECORDED;
        checks.require(
                found.size() == 1
                        && found.getFirst().kind() == side
                        && !found.getFirst().confirmed()
                        && found.getFirst().recordId().equals(Optional.of(record.id())),
                "the reconciler finds " + found + " instead of one of " + record.id() + ", " + side);
    }

    private void checkAnswer(EffectChecks checks, StoredRecord record) {
        checks.require(record.state() == RecordState.COMPLETED, "not ended, but " + record.state());
        int expected = charge == ChargeScenario.DECLINED ? 402 : 201;
        checks.require(
                record.outcome()
                        .map(OutcomeFormat::decode)
                        .filter(answer -> answer.status() == expected)
                        .isPresent(),
                "the answer is not " + expected);
    }

    private long charges() throws Exception {
        return new ProviderConnection(providerPort).ledger(this).size();
    }
}
