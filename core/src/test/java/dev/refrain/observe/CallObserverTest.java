package dev.refrain.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.memory.MemoryStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who watches a call is told all of it, and cannot harm it. */
class CallObserverTest {

    private final List<String> heard = new ArrayList<>();

    private RefrainListener named(String name) {
        return new RefrainListener() {
            @Override
            public void onEvent(RefrainEvent event) {}

            @Override
            public CallObserver onCall(String operation) {
                heard.add(name + " begins");
                return new CallObserver() {
                    @Override
                    public ThreadScope openScope() {
                        heard.add(name + " here");
                        return () -> heard.add(name + " away");
                    }

                    @Override
                    public void onEnd(CallEnd end) {
                        heard.add(name + " " + end);
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        heard.add(name + " failed");
                    }
                };
            }
        };
    }

    private static RefrainListener faulty() {
        return new RefrainListener() {
            @Override
            public void onEvent(RefrainEvent event) {}

            @Override
            public CallObserver onCall(String operation) {
                return new CallObserver() {
                    @Override
                    public ThreadScope openScope() {
                        return () -> {
                            throw new IllegalStateException("here");
                        };
                    }

                    @Override
                    public void onEnd(CallEnd end) {
                        throw new IllegalStateException("ended");
                    }

                    @Override
                    public void onFailure(Throwable failure) {
                        throw new IllegalStateException("failed");
                    }
                };
            }
        };
    }

    private static String pay(RefrainListener listener) {
        try (var refrain =
                Refrain.using(new MemoryStore(), RefrainSettings.defaults().with(listener))) {
            var pay = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);
            return pay.run(OperationCall.scope("").key("k").request("r"), claim -> "paid")
                    + pay.run(OperationCall.scope("").key("k").request("r"), claim -> "again");
        }
    }

    @Test
    void bothObserversAreNotifiedOneInsideTheOther() {
        assertThat(pay(named("a").and(named("b")))).isEqualTo("paidpaid");

        assertThat(heard.subList(0, heard.size() / 2))
                .containsExactly("a begins", "b begins", "a here", "b here", "b away", "a away", "b RAN", "a RAN");
        assertThat(heard).endsWith("b REPLAYED", "a REPLAYED");
    }

    @Test
    void observerThatThrowsChangesNothing() {
        assertThat(pay(faulty().and(named("b")))).isEqualTo("paidpaid");
        assertThat(heard).contains("b RAN", "b REPLAYED");
    }
}
