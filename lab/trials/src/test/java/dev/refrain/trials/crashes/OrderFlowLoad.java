package dev.refrain.trials.crashes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.refrain.Refrain;
import dev.refrain.api.ClientKey;
import dev.refrain.api.Downstream;
import dev.refrain.api.OperationResult;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.flow.PhaseResult;
import dev.refrain.store.jdbc.JdbcStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

/**
 * Load of two instances of the orders application on one database, with customers and a bank. A customer that gets an error does not retry.
 */
final class OrderFlowLoad implements AutoCloseable {

    private static final int INSTANCES = 2;
    private static final int CUSTOMERS = 4;
    private static final int BUSY = 15;
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMillis(100);
    private static final CompleterSettings COMPLETION = new CompleterSettings(SOON, SOON, SOON, 50, 8);

    private final OrderDatabase database;
    private final Map<String, String> chargeByKey = new ConcurrentHashMap<>();
    private final Map<String, Integer> charges = new ConcurrentHashMap<>();
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final AtomicInteger left = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final List<AutoCloseable> instances = new ArrayList<>();
    private final List<Thread> customers = new ArrayList<>();
    private int answeredBefore;
    private volatile boolean closing;

    OrderFlowLoad(OrderDatabase database) {
        this.database = database;
    }

    void open() {
        for (int i = 0; i < INSTANCES; i++) {
            var config = new HikariConfig();
            config.setJdbcUrl(database.url());
            config.setMaximumPoolSize(12);
            config.setConnectionTimeout(10_000);
            var pool = new HikariDataSource(config);
            var store = JdbcStore.on(pool);
            var refrain = Refrain.using(store);
            instances.addAll(List.of(refrain, store, pool));
            var flows = FlowRunner.on(refrain, store.transactions());
            flows.startCompleter(COMPLETION, List.of(orders()));
            IntStream.range(0, CUSTOMERS)
                    .mapToObj(c -> Thread.ofVirtual().start(() -> buy(flows)))
                    .forEach(customers::add);
        }
    }

    private void buy(FlowRunner<Connection> flows) {
        while (!closing) {
            String key = "order-" + asked.incrementAndGet();
            try {
                var result = flows.runForResult(
                        orders(), FlowRequest.of(ClientKey.scope("market").key(key), key), LEASE);
                if (result instanceof OperationResult.Ran || result instanceof OperationResult.Replayed) {
                    answered.add(key);
                }
            } catch (Exception gone) {
                left.incrementAndGet();
            }
        }
    }

    private Flow<String, String, Connection> orders() {
        return Flow.of("orders.create", String.class, String.class)
                .phase("started", (tx, at) -> {
                    OrdersProgram.execute(tx, "INSERT INTO orders VALUES (?, NULL)", at.request());
                    return PhaseResult.goTo("ordered");
                })
                .foreignCall(
                        "ordered",
                        Downstream.honoursKeys(Duration.ofHours(24)),
                        call -> charge(call.key(), call.request()),
                        (tx, at, charge) -> {
                            OrdersProgram.execute(
                                    tx, "UPDATE orders SET charge = ? WHERE id = ?", charge, at.request());
                            return PhaseResult.goTo("charged", charge);
                        })
                .phase("charged", (tx, at) -> {
                    OrdersProgram.execute(
                            tx, "INSERT INTO receipts VALUES (?, ?)", at.request(), at.carriedValue(String.class));
                    return PhaseResult.finish(201, at.carriedValue(String.class));
                })
                .build();
    }

    private String charge(String key, String order) {
        return chargeByKey.computeIfAbsent(key, k -> "ch_" + order + "_" + charges.merge(order, 1, Integer::sum));
    }

    /** Returns whether enough was sold since the last busy time. */
    synchronized boolean isBusy() {
        if (answered.size() < answeredBefore + BUSY) {
            return false;
        }
        answeredBefore = answered.size();
        return true;
    }

    void sellNoMore() throws InterruptedException {
        closing = true;
        for (var customer : customers) {
            customer.join();
        }
    }

    /** Returns whether all flows have ended, in whatever way. */
    boolean isSettled() throws SQLException {
        return byId("SELECT 'open', count(*) FROM refrain_record WHERE state <> 2")
                        .get("open")
                == 0;
    }

    List<String> findings() throws SQLException {
        var orders = byId("SELECT id, count(*) FROM orders GROUP BY id");
        var receipts = byId("SELECT id, count(*) FROM receipts GROUP BY id");
        var findings = new ArrayList<String>();
        for (int number = 1; number <= asked.get(); number++) {
            String key = "order-" + number;
            var effects =
                    List.of(orders.getOrDefault(key, 0), charges.getOrDefault(key, 0), receipts.getOrDefault(key, 0));
            boolean once = effects.equals(List.of(1, 1, 1));
            boolean never = effects.equals(List.of(0, 0, 0)) && !answered.contains(key);
            if (!once && !never) {
                findings.add(key + ": orders, charges and receipts are " + effects
                        + (answered.contains(key) ? ", and it was answered" : ""));
            }
        }
        return findings;
    }

    String tally(String trouble) {
        return "Flows under " + trouble + ": " + asked.get() + " asked, " + answered.size() + " answered, " + left.get()
                + " left by their customers, " + charges.size() + " charged once";
    }

    private Map<String, Integer> byId(String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(database.url());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(sql)) {
            var counted = new HashMap<String, Integer>();
            while (rows.next()) {
                counted.put(rows.getString(1), rows.getInt(2));
            }
            return counted;
        }
    }

    @Override
    public void close() throws Exception {
        closing = true;
        for (var instance : instances) {
            instance.close();
        }
    }
}
