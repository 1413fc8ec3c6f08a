package dev.refrain.trials.simulation.teeth;

import dev.refrain.store.ledger.ExpectedLedgerEntry;
import dev.refrain.store.ledger.LedgerCheckRequest;
import dev.refrain.store.ledger.LedgerCheckResult;
import dev.refrain.store.ledger.LedgerReadPass;
import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.ledger.ReportedLedgerEntry;
import dev.refrain.trials.simulation.world.SimulationMutation;
import java.time.Duration;
import java.util.List;

/** Mutants of the reconciler: what is written about both sides, and which part of a ledger is read. */
enum LedgerMutant implements SimulationMutation.LedgerMutation {

    /** Nothing says that a call is about to be sent. */
    ANNOUNCEMENT_IS_LOST {
        @Override
        public <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers) {
            return new MutantLedger<>(ledgers) {
                @Override
                public void announce(C connection, String ledger, ExpectedLedgerEntry entry) {}
            };
        }
    },

    /** Nothing says that a call was answered. */
    CONFIRMATION_IS_LOST {
        @Override
        public <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers) {
            return new MutantLedger<>(ledgers) {
                @Override
                public void confirm(C connection, String ledger, String key) {}
            };
        }
    },

    /** Nothing says that a call was declined. */
    WITHDRAWAL_IS_LOST {
        @Override
        public <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers) {
            return new MutantLedger<>(ledgers) {
                @Override
                public void withdraw(C connection, String ledger, String key) {}
            };
        }
    },

    /** A ledger is read from now on only. */
    PASS_BEGINS_TOO_LATE {
        @Override
        public <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers) {
            return new MutantLedger<>(ledgers) {
                @Override
                public LedgerReadPass beginPass(String ledger, Duration reach, Duration overlap) {
                    var pass = super.beginPass(ledger, reach, overlap);
                    return new LedgerReadPass(pass.begun(), pass.begun());
                }
            };
        }
    },

    /** A second entry under one key is taken for the first. */
    SECOND_ENTRY_IS_IGNORED {
        @Override
        public <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers) {
            return new MutantLedger<>(ledgers) {
                @Override
                public void addReported(String ledger, List<ReportedLedgerEntry> entries) {
                    super.addReported(
                            ledger,
                            entries.stream()
                                    .map(e -> new ReportedLedgerEntry(e.key(), e.key(), e.amount()))
                                    .toList());
                }
            };
        }
    },

    /** Only the first entries of a comparison are compared. */
    COMPARISON_ENDS_EARLY {
        @Override
        public <C> ReconciliationStore<C> over(ReconciliationStore<C> ledgers) {
            return new MutantLedger<>(ledgers) {
                @Override
                public LedgerCheckResult check(LedgerCheckRequest order) {
                    var result = super.check(order);
                    return new LedgerCheckResult(result.found(), result.closed(), result.last(), false);
                }
            };
        }
    }
}
