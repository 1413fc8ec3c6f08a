package dev.refrain.examples.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** What holds on every database, over real sockets and between real processes. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PaymentsTestSuite implements PaymentsCases, BankFailureCases, CallerCases, StripeClientCases {

    private PaymentsAndBankProcesses town;

    abstract String database(Path folder);

    @BeforeAll
    void open(@TempDir Path folder) throws Exception {
        town = PaymentsAndBankProcesses.on(database(folder), folder);
    }

    @AfterAll
    void close() {
        town.close();
    }

    @Override
    public PaymentsAndBankProcesses town() {
        return town;
    }

    /** After whatever has happened: each booking sums up to nothing, and what the bank says it holds is what we say it does. */
    @AfterEach
    void theBooksBalance() throws Exception {
        assertThat(
                        town.number(
                                "SELECT count(*) FROM (SELECT booking FROM ledger_entry GROUP BY booking HAVING sum(amount) <> 0) AS b"))
                .isZero();
        assertThat(town.number("SELECT coalesce(sum(amount), 0) FROM ledger_entry WHERE account = 'bank'"))
                .isEqualTo(town.heldByTheBank());
    }
}
