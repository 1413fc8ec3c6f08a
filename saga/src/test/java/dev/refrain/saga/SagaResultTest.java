package dev.refrain.saga;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.ResultType;
import dev.refrain.ValueCodec;
import dev.refrain.api.Payload;
import java.util.List;
import org.junit.jupiter.api.Test;

class SagaResultTest {

    record Charge(String number) {}

    @Test
    void genericResultOfAStepKeepsItsElementsTypes() {
        var codec = ValueCodec.standard();
        var charges = Payload.of(codec.encode(List.of(new Charge("nr-1"))));
        var done = new SagaResult.Completed(SagaState.BEGUN.done("charge", charges), codec);

        List<Charge> result = done.result("charge", new ResultType<List<Charge>>() {});

        assertThat(result.getFirst().number()).isEqualTo("nr-1");
    }
}
