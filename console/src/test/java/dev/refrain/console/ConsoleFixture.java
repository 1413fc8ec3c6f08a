package dev.refrain.console;

import dev.refrain.LeasedOperation;
import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.ClaimRef;
import dev.refrain.api.ExecutionEnvironment;
import dev.refrain.api.InProgressException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.Retention;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.TraceId;
import dev.refrain.http.KeptRequest;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.store.ClaimOrigin;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.StoredRecord;
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
import javax.sql.DataSource;
import org.sqlite.SQLiteDataSource;

/** Console on a port, over a store with some records. */
final class ConsoleFixture implements AutoCloseable {

    static final String PASSWORD = "correct horse";
    static final String OPERATION = "payments.create";

    /** Weak hash with few rounds, because tests sign in often. */
    private static final PasswordHash HASH = PasswordHash.of(PASSWORD.toCharArray(), 1_000);

    private static final PublishedRouteContract CONTRACT = new PublishedRouteContract(
            List.of(Route.of("POST /payments", RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD)))),
            new ContractAndStatusPaths("/refrain"));

    final JdbcStore store;
    final LiveActivityListener live = new LiveActivityListener(InstantSource.system());
    final Refrain refrain;
    final LeasedOperation<String> pay;
    final OutboxAndSagaFixture backroom;
    private final ConsoleServer server;

    ConsoleFixture(Path directory) {
        this(sqlite(directory));
    }

    ConsoleFixture(DataSource source) {
        store = JdbcStore.builder(source).createBrowsingIndex(true).build();
        refrain = Refrain.using(store, RefrainSettings.defaults().with(live));
        pay = refrain.operation(OPERATION, String.class).leased(LeaseExpiryPolicy.HOLD);
        backroom = new OutboxAndSagaFixture(refrain, store, source);
        var console = OperatorConsole.of(
                        new PasswordLogin(HASH, InstantSource.system()),
                        ConsoleSections.of(
                                refrain.admin(), store.recordBrowser(), live, store.outboxBrowser(), store.outbox()))
                .and(backroom.section())
                .and(new ContractSection(() -> CONTRACT));
        server = ConsoleServer.start(console, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    static DataSource sqlite(Path directory) {
        var source = new SQLiteDataSource();
        source.setUrl("jdbc:sqlite:" + directory.resolve("console.db"));
        return source;
    }

    URI at(String path) {
        return URI.create("http://localhost:" + server.address().getPort() + path);
    }

    String paid(String scope, String key, String request) {
        return pay.run(OperationCall.scope(scope).key(key).request(request), claim -> "{\"paid\":\"" + request + "\"}");
    }

    void mismatched(String scope, String key, String other) {
        try {
            paid(scope, key, other);
            throw new AssertionError("It ran.");
        } catch (RequestMismatchException expected) {
            // Expected.
        }
    }

    /** Creates a record in ATTENTION. */
    ClaimRef unknown(String scope, String key) {
        return unknown(scope, key, Optional.empty());
    }

    /** Creates a record in ATTENTION that kept its request. */
    ClaimRef unknown(String scope, String key, KeptRequest kept) {
        return unknown(scope, key, Optional.of(kept.encode()));
    }

    private ClaimRef unknown(String scope, String key, Optional<Payload> kept) {
        var wish = ClaimRequest.of(
                        new ScopedKey(scope, OPERATION, key),
                        Fingerprint.stored("1/test", new byte[Fingerprint.DIGEST_BYTES]),
                        ExecutionEnvironment.system().newNonce(),
                        Duration.ofMinutes(5),
                        LeaseExpiryPolicy.HOLD,
                        Retention.of(Duration.ofHours(24)))
                .withKeptRequest(kept.orElse(null))
                .withOrigin(new ClaimOrigin(
                        "POST /payments/{id}",
                        Optional.of("alice"),
                        TraceId.parse("4bf92f3577b34da6a3ce929d0e0e4736"),
                        "web-2",
                        List.of("charge")));
        // A released record is claimed again by the same request.
        var claim = ((ClaimResponse.Acquired) store.claim(List.of(wish)).getFirst())
                .record()
                .claim();
        store.write(List.of(new RecordWrite.Escalate(claim, "The bank did not answer.")));
        return claim;
    }

    /** Claims a key and leaves it in progress. */
    ClaimRef open(String scope, String key) {
        var running = new CountDownLatch(1);
        var identity = new ScopedKey(scope, OPERATION, key);
        Thread.startVirtualThread(() -> {
            try {
                pay.run(OperationCall.scope(scope).key(key).request("10"), claim -> {
                    running.countDown();
                    new CountDownLatch(1).await();
                    return "";
                });
            } catch (Exception endsWithTheScene) {
                // The store is closed while the call runs.
            }
        });
        try {
            if (!running.await(1, TimeUnit.MINUTES)) {
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
            // Expected.
        }
    }

    Optional<StoredRecord> stored(String scope, String key) {
        return store.find(List.of(new ScopedKey(scope, OPERATION, key))).getFirst();
    }

    @Override
    public void close() {
        server.close();
        refrain.close(Duration.ZERO);
        store.close();
    }
}
