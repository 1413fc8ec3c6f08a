package dev.refrain;

import static dev.refrain.api.LeaseExpiryPolicy.RESUME;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.testing.SharedStoreFixture;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResultTypeTest {

    private final SharedStoreFixture world = new SharedStoreFixture();

    record Payment(String id, int cents) {}

    @Test
    void replayOfAGenericTypeHasItsElementsTypes() {
        LeasedOperation<List<Payment>> list = world.process()
                .operation("payments.list", new ResultType<List<Payment>>() {})
                .leased(RESUME);
        var call = OperationCall.scope("acme").key("key-1").request("all");

        list.run(call, claim -> List.of(new Payment("p-1", 100)));
        List<Payment> replayed = list.run(call, claim -> List.of());

        assertThat(replayed.getFirst().id()).isEqualTo("p-1");
    }

    @Test
    void typeVariableIsRefused() {
        assertThatThrownBy(ResultTypeTest::<String>ofVariable)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Name the type");
    }

    private static <T> ResultType<T> ofVariable() {
        return new ResultType<>() {};
    }

    @Test
    void typeWithoutArgumentIsRefused() {
        @SuppressWarnings("rawtypes")
        class Raw extends ResultType {}

        assertThatThrownBy(Raw::new)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("new ResultType<List<Payment>>() {}");
    }

    @Test
    void primitiveFoundByReflectionIsRefused() {
        assertThatThrownBy(() -> world.process().operation("count", ResultType.of(int.class)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Integer.class");
    }
}
