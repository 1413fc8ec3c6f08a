package dev.refrain.console;

import dev.refrain.Environment;
import dev.refrain.InProgressException;
import dev.refrain.Leased;
import dev.refrain.MismatchException;
import dev.refrain.Refrain;
import dev.refrain.Settings;
import dev.refrain.fingerprint.Fingerprint;
import dev.refrain.http.Places;
import dev.refrain.http.contract.PublishedContract;
import dev.refrain.http.policy.Mode;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.policy.Route;
import dev.refrain.key.Identity;
import dev.refrain.outcome.Retention;
import dev.refrain.store.ClaimAnswer;
import dev.refrain.store.ClaimRef;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.TakeOver;
import dev.refrain.store.Write;
import dev.refrain.store.jdbc.JdbcStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.sqlite.SQLiteDataSource;

/** A console on a port, over a store in which something happened. */
final class Scene implements AutoCloseable {

    static final String PASSWORD = "correct horse";
    static final String OPERATION = "payments.create";

    /** A weak hash, by few rounds: tests sign in often. */
    private static final PasswordHash HASH = PasswordHash.of(PASSWORD.toCharArray(), 1_000);

    private static final PublishedContract CONTRACT = new PublishedContract(
            List.of(Route.of("POST /payments", Policy.of(Mode.leased(TakeOver.HOLD)))), new Places("/refrain"));

    final JdbcStore store;
    final Live live = new Live(InstantSource.system());
    final Refrain refrain;
    final Leased<String> pay;
    final Backroom backroom;
    private final ConsoleServer server;

    Scene(Path directory) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("console.db"));
        store = JdbcStore.builder(source).createBrowsingIndex(true).build();
        refrain = Refrain.using(store, Settings.defaults().with(live));
        pay = refrain.operation(OPERATION, String.class).leased(TakeOver.HOLD);
        backroom = new Backroom(refrain, store, source);
        var console = Console.of(
                        new PasswordLogin(HASH, InstantSource.system()),
                        Sections.of(
                                refrain.admin(), store.recordBrowser(), live, store.outboxBrowser(), store.outbox()))
                .and(backroom.section())
                .and(new Contract(() -> CONTRACT));
        server = ConsoleServer.start(console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    URI at(String path) {
        return URI.create("http://localhost:" + server.address().getPort() + path);
    }

    String paid(String scope, String key, String request) {
        return pay.run(scope, key, request, claim -> "{\"paid\":\"" + request + "\"}");
    }

    void mismatched(String scope, String key, String other) {
        try {
            paid(scope, key, other);
            throw new AssertionError("It ran.");
        } catch (MismatchException expected) {
            // As it should.
        }
    }

    /** A record whose outcome nobody knows. */
    ClaimRef unknown(String scope, String key) {
        var wish = ClaimRequest.of(
                new Identity(scope, OPERATION, key),
                Fingerprint.stored("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                Environment.system().newNonce(),
                Duration.ofMinutes(5),
                TakeOver.HOLD,
                Retention.of(Duration.ofHours(24)));
        // A released one is claimed again, by the same request.
        var claim = ((ClaimAnswer.Acquired) store.claim(List.of(wish)).getFirst())
                .record()
                .claim();
        store.write(List.of(new Write.Escalate(claim, "The bank did not answer.")));
        return claim;
    }

    /** Claims it, and leaves it so. */
    ClaimRef open(String scope, String key) {
        var running = new CountDownLatch(1);
        var identity = new Identity(scope, OPERATION, key);
        Thread.startVirtualThread(() -> {
            try {
                pay.run(scope, key, "10", claim -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                    return "";
                });
            } catch (Exception endsWithTheScene) {
                // The store is closed under it.
            }
        });
        try {
            if (!running.await(30, TimeUnit.SECONDS)) {
                throw new AssertionError("It does not run.");
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return store.find(List.of(identity)).getFirst().orElseThrow().claim();
    }

    void conflicted(String scope, String key) {
        try {
            paid(scope, key, "10");
            throw new AssertionError("It ran.");
        } catch (InProgressException expected) {
            // As it should.
        }
    }

    Optional<StoredRecord> stored(String scope, String key) {
        return store.find(List.of(new Identity(scope, OPERATION, key))).getFirst();
    }

    @Override
    public void close() {
        server.close();
        refrain.close(Duration.ZERO);
        store.close();
    }
}
