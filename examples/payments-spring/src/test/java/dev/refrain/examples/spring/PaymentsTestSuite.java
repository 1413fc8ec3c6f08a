package dev.refrain.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Cases that must hold on every database, with real sockets and processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PaymentsTestSuite implements PaymentsCases, BankFailureCases, CallerCases, StripeClientCases {

    private PaymentsAndBankProcesses processes;

    abstract String database(Path folder);

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        processes = PaymentsAndBankProcesses.on(database(folder), folder);
    }

    @AfterAll
    void close() {
        processes.close();
    }

    @Override
    public PaymentsAndBankProcesses processes() {
        return processes;
    }

    /** After each case, every booking sums up to zero, and the bank's ledger agrees with ours. */
    @AfterEach
    void ledgersBalance() throws Exception {
        assertThat(
                        processes.number(
                                "SELECT count(*) FROM (SELECT booking FROM ledger_entry GROUP BY booking HAVING sum(amount) <> 0) AS b"))
                .isZero();
        assertThat(processes.number("SELECT coalesce(sum(amount), 0) FROM ledger_entry WHERE account = 'bank'"))
                .isEqualTo(processes.heldByBank());
    }
}
