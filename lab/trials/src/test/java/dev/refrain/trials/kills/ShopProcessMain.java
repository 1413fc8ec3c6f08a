package dev.refrain.trials.kills;

import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

/** Main class of a child process. */
final class ShopProcessMain {

    static final String READY = "READY";

    /** Placeholder for the key in the last line of a process that was closed gracefully. */
    static final String CLOSED = "-";

    static final int BROKEN = 3;

    private static final Duration OPEN_WITHIN = Duration.ofMinutes(5);
    private static final int CUSTOMERS = 6;

    /** Customers on SQLite, where more would only queue for the one write lock. */
    private static final int CUSTOMERS_ON_SQLITE = 3;

    private ShopProcessMain() {}

    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().start(ShopProcessMain::endWithParent);
        try {
            run(ChildArguments.of(arguments));
        } catch (Throwable broken) {
            end(broken);
        }
    }

    private static void run(ChildArguments orders) throws Exception {
        var journal = new AnswerJournal(orders.journal());
        var shop = open(orders, journal);
        var counter = new JournaledCaller(shop, journal);
        switch (orders.role()) {
            case SERVE -> serve(orders, counter);
            case FINISH -> finish(orders, counter);
        }
    }

    private static void finish(ChildArguments orders, JournaledCaller counter) throws Exception {
        new TrialFinisher(counter, Files.readAllLines(orders.keys())).run();
        counter.shop().close();
    }

    /** Opens the shop, with retries while the database is down, as an application would be restarted. */
    private static TrialShop open(ChildArguments orders, AnswerJournal journal) throws InterruptedException {
        long deadline = System.nanoTime() + OPEN_WITHIN.toNanos();
        while (true) {
            try {
                return open(orders.place().openStore(new Random(orders.seed())), orders, journal);
            } catch (StoreException away) {
                if (!away.isTransient() || deadline - System.nanoTime() < 0) {
                    throw away;
                }
                Thread.sleep(50);
            }
        }
    }

    private static TrialShop open(JdbcStore store, ChildArguments orders, AnswerJournal journal) {
        try {
            return new TrialShop(store, new ProviderClient(orders.providerPort()), journal);
        } catch (RuntimeException failed) {
            store.close();
            throw failed;
        }
    }

    private static void serve(ChildArguments orders, JournaledCaller counter) throws InterruptedException {
        int customers = orders.place().isSqlite() ? CUSTOMERS_ON_SQLITE : CUSTOMERS;
        var threads = IntStream.range(0, customers)
                .mapToObj(i -> new TrialCustomer(orders.plan(), counter, new Random(orders.seed() * 31 + i)))
                .map(customer -> Thread.ofVirtual()
                        .uncaughtExceptionHandler((t, e) -> end(e))
                        .start(customer))
                .toList();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(counter, threads)));
        System.out.println(READY);
        new CountDownLatch(1).await();
    }

    /** Finishes the work that was begun, as in a deploy. */
    private static void close(JournaledCaller counter, List<Thread> customers) {
        try {
            counter.shop().close();
            for (var customer : customers) {
                customer.join();
            }
            counter.journal().write(JournalEntry.now(JournalEntry.Kind.CLOSED, TrialMode.HOLD, CLOSED, ""));
        } catch (Throwable broken) {
            end(broken);
        }
    }

    private static void end(Throwable broken) {
        broken.printStackTrace();
        Runtime.getRuntime().halt(BROKEN);
    }

    /** Ends the process with its parent, which never writes to this input. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(BROKEN);
    }
}
