package dev.refrain.examples.spring;

import dev.refrain.examples.spring.process.ExampleChildProcess;
import dev.refrain.examples.spring.process.ExampleParentWatchdog;
import dev.refrain.examples.spring.provider.FakeBank;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** Runs the payments API and its bank as two processes that end together, and prints requests to try. */
public final class PaymentsDemo {

    private static final String USAGE = "Usage: PaymentsDemo --port=PORT (--file=FILE | --database=JDBC-URL)";

    private PaymentsDemo() {}

    /**
     * Runs the example.
     *
     * @param arguments {@code --port=8080}, and {@code --file=FILE} or {@code --database=JDBC-URL}
     */
    public static void main(String[] arguments) {
        ExampleParentWatchdog.exitWithParent();
        try {
            run(Options.of(arguments));
        } catch (IOException e) {
            System.err.println("refrain: " + e.getMessage());
            System.exit(1);
        }
    }

    private static void run(Options options) throws IOException {
        options.check();
        var bank = ExampleChildProcess.start(
                FakeBank.class, "0", options.bankFile().toString());
        Runtime.getRuntime().addShutdownHook(new Thread(bank::close));
        String api;
        try {
            api = PaymentsApplication.start(
                    "--server.port=" + options.port(),
                    "--spring.datasource.url=" + options.url(),
                    "--payments.bank=" + bank.address(),
                    // Startup errors are printed as one line instead.
                    "--logging.level.org.springframework.boot=off");
        } catch (RuntimeException e) {
            throw new IOException("The payments API did not start: " + rootOf(e).getMessage(), e);
        }
        System.out.println(instructions(api, bank.address(), options));
    }

    private static Throwable rootOf(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root;
    }

    private static String instructions(String api, String bank, Options options) {
        return """
                Payments API at %1$s, ledger and keys in %3$s
                Bank (a second process) at %2$s, its ledger in %4$s

                Create a payment. Run it twice: the second response is a replay of the first.
                  curl -i -u sk_test_alice: %1$s/v1/payment_intents -H 'Idempotency-Key: order-1' \\
                    -d amount=1299 -d currency=eur -d payment_method=pm_card_visa

                Make the bank lose its next response, then capture the payment twice (replace ID): 502, then 200, and one charge in the bank's ledger.
                  curl -X POST '%2$s/trouble?lose=1'
                  curl -i -u sk_test_alice: -X POST %1$s/v1/payment_intents/ID/capture -H 'Idempotency-Key: capture-1'
                  curl %2$s/ledger

                Refund part of it. (The card pm_card_chargeDeclined is always declined.)
                  curl -i -u sk_test_alice: %1$s/v1/refunds -H 'Idempotency-Key: refund-1' -d payment_intent=ID -d amount=299

                Show the balance, another merchant's payments, and the contract of each route.
                  curl -u sk_test_alice: %1$s/v1/balance
                  curl -u sk_test_bob: %1$s/v1/payment_intents
                  curl %1$s/refrain/contract.json

                Ctrl-C stops both processes.""".formatted(api, bank, options.place(), options.bankFile());
    }

    /**
     * Command-line options.
     *
     * @param url the JDBC URL of the database, SQLite or PostgreSQL
     */
    private record Options(int port, String url, Path bankFile) {

        private static final String SQLITE = "jdbc:sqlite:";

        static Options of(String[] arguments) throws IOException {
            Map<String, String> given = new HashMap<>();
            for (String argument : arguments) {
                int equals = argument.indexOf('=');
                given.put(argument.substring(0, Math.max(0, equals)), argument.substring(equals + 1));
            }
            String port = given.remove("--port");
            String file = given.remove("--file");
            String database = given.remove("--database");
            if (port == null || (file == null) == (database == null) || !given.isEmpty()) {
                throw new IOException(USAGE);
            }
            return new Options(
                    Integer.parseInt(port),
                    database == null ? SQLITE + Path.of(file).toAbsolutePath() : database,
                    Path.of(database == null ? file + ".bank" : "payments-spring.bank")
                            .toAbsolutePath());
        }

        /** Location of the database, without a password that may be in its URL. */
        String place() {
            return url.replaceFirst("\\?.*", "").replace(SQLITE, "");
        }

        /**
         * Checks that the port and the database are available.
         *
         * @throws IOException with a message that says what is not
         */
        void check() throws IOException {
            try (var free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                free.setReuseAddress(true);
            } catch (IOException e) {
                throw new IOException(
                        "Cannot listen on port " + port + ": " + e.getMessage() + ". Choose another with --port.", e);
            }
            try (var connection = DriverManager.getConnection(url);
                    var tables = connection.getMetaData().getTables(null, null, "payment", null)) {
                tables.next();
            } catch (SQLException e) {
                throw new IOException("Cannot open the database " + place() + ": " + e.getMessage(), e);
            }
        }
    }
}
