package dev.refrain.trials.kills;

import dev.refrain.store.StoreException;
import dev.refrain.store.jdbc.JdbcStore;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CountDownLatch;

/** The main class of a child process. */
final class Till {

    static final String READY = "READY";
    static final int BROKEN = 3;

    private static final Duration OPEN_WITHIN = Duration.ofSeconds(30);
    private static final int CUSTOMERS = 6;

    /** Where only one can write at a time, more would only stand in line. */
    private static final int CUSTOMERS_ON_SQLITE = 3;

    private Till() {}

    public static void main(String[] arguments) {
        Thread.ofPlatform().daemon().start(Till::endWithParent);
        try {
            run(Orders.of(arguments));
        } catch (Throwable broken) {
            end(broken);
        }
    }

    private static void run(Orders orders) throws Exception {
        try (var journal = new Journal(orders.journal());
                var shop = new Shop(open(orders.place()), new ProviderClient(orders.providerPort()), journal)) {
            System.out.println(READY);
            var counter = new Counter(shop, journal);
            switch (orders.role()) {
                case SERVE -> serve(orders, counter);
                case FINISH -> new Finish(counter, Files.readAllLines(orders.keys())).run();
            }
        }
    }

    /** The database may be down just now: an application would be started again until it is up. */
    private static JdbcStore open(Place place) throws InterruptedException {
        long deadline = System.nanoTime() + OPEN_WITHIN.toNanos();
        while (true) {
            try {
                return place.openStore();
            } catch (StoreException away) {
                if (!away.passing() || deadline - System.nanoTime() < 0) {
                    throw away;
                }
                Thread.sleep(50);
            }
        }
    }

    private static void serve(Orders orders, Counter counter) throws InterruptedException {
        int customers = orders.place().isSqlite() ? CUSTOMERS_ON_SQLITE : CUSTOMERS;
        for (int i = 0; i < customers; i++) {
            var customer = new Customer(orders.plan(), counter, new Random(orders.seed() * 31 + i));
            Thread.ofVirtual().name("customer-" + i).uncaughtExceptionHandler((t, e) -> end(e)).start(customer);
        }
        new CountDownLatch(1).await();
    }

    private static void end(Throwable broken) {
        broken.printStackTrace();
        Runtime.getRuntime().halt(BROKEN);
    }

    /** The parent never writes here; when it is gone, there is nobody left to kill this process. */
    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {}
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(BROKEN);
    }
}
