package dev.refrain.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.ResultType;
import dev.refrain.ValueCodec;
import dev.refrain.api.ClientKey;
import dev.refrain.api.InProgressException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.servers.FlowTestDatabase;
import dev.refrain.store.jdbc.JdbcStore;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Running a flow returns its result, or throws one of the documented exceptions. */
class FlowResultTest {

    record Receipt(String article, long amount) {}

    record Decline(String reason) {}

    @TempDir
    Path directory;

    private FlowTestDatabase database;
    private JdbcStore store;
    private Refrain refrain;
    private FlowRunner<Connection> flows;

    @BeforeEach
    void open() {
        database = FlowTestDatabase.sqlite(directory);
        store = JdbcStore.on(database.source());
        refrain = Refrain.using(store);
        flows = FlowRunner.on(refrain, store.transactions());
    }

    @AfterEach
    void close() {
        refrain.close();
        store.close();
        database.close();
    }

    private static <T> Flow<String, T, Connection> finishing(Class<T> type, T result) {
        return Flow.of("orders", String.class, type)
                .phase("started", (tx, at) -> PhaseResult.finish(201, result))
                .build();
    }

    private static FlowRequest<String> request(String key) {
        return FlowRequest.of(ClientKey.scope("shop").key(key), "a book");
    }

    @Test
    void firstRunAndReplayReturnTheSameValue() throws Exception {
        var flow = finishing(Receipt.class, new Receipt("book", 700));
        assertThat(flows.run(flow, request("k"))).isEqualTo(new Receipt("book", 700));
        assertThat(flows.run(flow, request("k"))).isEqualTo(new Receipt("book", 700));
    }

    @Test
    void genericResultAndGenericCarriedValueKeepTheirElementsTypes() throws Exception {
        var receipts = new ResultType<List<Receipt>>() {};
        Flow<String, List<Receipt>, Connection> flow = Flow.of("orders", String.class, receipts)
                .phase("started", (tx, at) -> PhaseResult.goTo("priced", List.of(new Receipt("book", 700))))
                .phase("priced", (tx, at) -> {
                    List<Receipt> carried = at.carriedValue(receipts);
                    return PhaseResult.finish(
                            201,
                            List.of(new Receipt("gift " + carried.getFirst().article(), 0)));
                })
                .build();
        for (int run = 0; run < 2; run++) {
            List<Receipt> result = flows.run(flow, request("k"));
            assertThat(result.getFirst().article()).isEqualTo("gift book");
        }
    }

    @Test
    void textBytesAndNothingAreReturnedAsTheyWereGiven() throws Exception {
        var bytes = new byte[] {1, 0, -1};
        for (int run = 0; run < 2; run++) {
            assertThat(flows.run(finishing(String.class, "\"paid\""), request("text")))
                    .isEqualTo("\"paid\"");
            assertThat(flows.run(finishing(String.class, ""), request("empty"))).isEmpty();
            assertThat(flows.run(finishing(Object.class, "paid"), request("any")))
                    .isEqualTo("paid");
            assertThat(flows.run(finishing(byte[].class, bytes), request("bytes")))
                    .isEqualTo(bytes);
            assertThat(flows.run(finishing(Void.class, null), request("nothing")))
                    .isNull();
        }
    }

    @Test
    void failureIsThrownEveryTimeWithItsStatusAndBody() {
        var flow = Flow.of("orders", String.class, Receipt.class)
                .phase("started", (tx, at) -> PhaseResult.fail(402, new Decline("no money")))
                .build();
        for (int run = 0; run < 2; run++) {
            assertThatThrownBy(() -> flows.run(flow, request("k")))
                    .isInstanceOfSatisfying(FlowFailedException.class, failed -> {
                        assertThat(failed.status()).isEqualTo(402);
                        assertThat(failed.body(Decline.class)).isEqualTo(new Decline("no money"));
                        assertThat(failed.bodyText()).contains("no money");
                        assertThat(failed).hasMessageContaining("orders").hasMessageContaining("402");
                    });
        }
    }

    @Test
    void otherRequestAndLaterRetryAreExceptions() throws Exception {
        var flow = finishing(String.class, "paid");
        flows.run(flow, request("k"));
        assertThatThrownBy(() ->
                        flows.run(flow, FlowRequest.of(ClientKey.scope("shop").key("k"), "a car")))
                .isInstanceOf(RequestMismatchException.class);

        var closed = Flow.of("orders", String.class, String.class)
                .phase("started", (tx, at) -> PhaseResult.retryAfter(Duration.ofSeconds(7), "closed"))
                .build();
        assertThatThrownBy(() -> flows.run(closed, request("later")))
                .isInstanceOfSatisfying(
                        InProgressException.class,
                        later -> assertThat(later.retryAfter()).isEqualTo(Duration.ofSeconds(7)));
    }

    @Test
    void statusAndKindOfEndingMustAgree() {
        assertThatThrownBy(() -> PhaseResult.finish(402, "declined")).hasMessageContaining("PhaseResult.fail(402");
        assertThatThrownBy(() -> PhaseResult.fail(200, "fine")).hasMessageContaining("PhaseResult.finish(200");
    }

    /** Request, carried value and result are written by the codec of the Refrain that the runner was made from. */
    @Test
    void codecOfRefrainIsUsed() throws Exception {
        var encoded = new CopyOnWriteArrayList<Object>();
        var codec = new ValueCodec() {
            @Override
            public byte[] encode(Object value) {
                encoded.add(value);
                return value.toString().getBytes(StandardCharsets.UTF_8);
            }

            @Override
            public Object decode(byte[] bytes, Type type) {
                return Long.valueOf(new String(bytes, StandardCharsets.UTF_8));
            }
        };
        try (var other = Refrain.using(store, RefrainSettings.defaults().with(codec))) {
            var flow = Flow.of("sums", Long.class, Long.class)
                    .phase("started", (tx, at) -> PhaseResult.goTo("doubled", at.request() * 2))
                    .phase("doubled", (tx, at) -> PhaseResult.finish(200, at.carriedValue(Long.class) + 1))
                    .build();
            assertThat(FlowRunner.on(other, store.transactions())
                            .run(flow, FlowRequest.of(ClientKey.scope("shop").key("k"), 4L)))
                    .isEqualTo(9);
        }
        assertThat(encoded).containsAll(List.of(4L, 8L, 9L));
    }

    /** Without it the flow would claim its key, and its first phase or its caller would find that nothing can be read back. */
    @Test
    void typesThatCannotBeReadBackAreRefusedByCompleterAndBeforeTheKeyIsClaimed() {
        var unreadableResult = finishing(Unreadable.class, new Unreadable(1, 1));
        var unreadableRequest = Flow.of("orders", Unreadable.class, String.class)
                .phase("started", (tx, at) -> PhaseResult.finish(201, "done"))
                .build();
        var key = ClientKey.scope("shop").key("k");

        for (Flow<?, ?, Connection> flow : List.<Flow<?, ?, Connection>>of(unreadableResult, unreadableRequest)) {
            assertThatThrownBy(() -> flows.startCompleter(List.of(flow)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("Cannot run orders, whose ")
                    .hasMessageContaining(Unreadable.class.getName() + " cannot be stored: ");
        }
        assertThatThrownBy(() -> flows.run(unreadableResult, request("k"))).hasMessageContaining("cannot be stored");
        assertThatThrownBy(() -> flows.run(unreadableRequest, FlowRequest.of(key, new Unreadable(1, 1))))
                .hasMessageContaining("cannot be stored");
        assertThat(refrain.admin().find(key.inNamespace("orders"))).isEmpty();
    }

    /** Written by its getter; nothing reads it. */
    public static final class Unreadable {
        private final int number;

        private Unreadable(int number, int times) {
            this.number = number * times;
        }

        public int getNumber() {
            return number;
        }
    }
}
