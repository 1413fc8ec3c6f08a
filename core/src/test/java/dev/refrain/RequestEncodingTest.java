package dev.refrain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A request is told from others by what its codec shows of it. One that shows nothing would be like any other. */
class RequestEncodingTest {

    /** Has no property that JSON would show. */
    static final class Sealed {
        private final int amount;

        Sealed(int amount) {
            this.amount = amount;
        }

        int twice() {
            return 2 * amount;
        }
    }

    record Nothing() {}

    private final AtomicInteger runs = new AtomicInteger();

    private <T> T run(Class<T> type, Object request, T value) {
        var refrain = Refrain.using(new MemoryStore());
        return refrain.operation("pay", type)
                .leased(LeaseExpiryPolicy.RESUME)
                .run(OperationCall.scope("").key("k").request(request), claim -> {
                    runs.incrementAndGet();
                    return value;
                });
    }

    @Test
    void requestThatShowsNothingIsRefusedAndNothingRuns() {
        for (Object request : List.of(new Sealed(1), List.of("k", new Sealed(1)))) {
            assertThatThrownBy(() -> run(String.class, request, "paid"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("pay")
                    .hasMessageContaining("cannot be fingerprinted");
        }
        assertThat(runs).hasValue(0);
    }

    @Test
    void outcomeMayBeEmpty() {
        assertThat(run(Nothing.class, "request", new Nothing())).isEqualTo(new Nothing());
    }
}
