package dev.refrain.examples.spring;

import java.util.List;
import java.util.Locale;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Double-entry ledger. What customers owe and what the bank holds for us is positive; what we owe to merchants, pending
 * and available, is negative. Takes part in the caller's transaction.
 */
@Component
class PaymentsLedger {

    enum Account {
        CUSTOMERS,
        PENDING,
        AVAILABLE,
        BANK;

        String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Transfer from one account to another. */
    record Transfer(Account from, Account to) {}

    record Balance(String currency, long amount) {}

    private static final RowMapper<Balance> BALANCES = new SimplePropertyRowMapper<>(Balance.class);

    private final JdbcClient jdbc;

    PaymentsLedger(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Books transfers.
     *
     * @param booking a unique name: a second booking under it fails, and with it the caller's transaction
     */
    void book(String booking, String merchant, String currency, long amount, List<Transfer> transfers) {
        for (var transfer : transfers) {
            insert(booking, transfer.from(), merchant, currency, -amount);
            insert(booking, transfer.to(), merchant, currency, amount);
        }
    }

    private void insert(String booking, Account account, String merchant, String currency, long amount) {
        jdbc.sql("INSERT INTO ledger_entry (booking, account, merchant, currency, amount) VALUES (?, ?, ?, ?, ?)")
                .params(booking, account.id(), merchant, currency, amount)
                .update();
    }

    /** Lists what we owe to a merchant, by currency. */
    List<Balance> balances(String merchant, Account account) {
        return jdbc.sql("""
                        SELECT currency, -sum(amount) AS amount FROM ledger_entry
                        WHERE merchant = ? AND account = ? GROUP BY currency ORDER BY currency""").params(merchant, account.id()).query(BALANCES).list();
    }
}
