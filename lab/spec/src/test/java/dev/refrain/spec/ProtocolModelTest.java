package dev.refrain.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the modelled protocol keeps its promises in every reachable state. */
class ProtocolModelTest {

    @ParameterizedTest
    @EnumSource
    void everyPromiseIsKept(ModelledOperation way) throws Exception {
        var verdict = holds(way, ModelSize.USUAL);
        assertThat(verdict.steps()).as("steps that were taken").isEqualTo(way.steps);
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyEnds(ModelledOperation way) throws Exception {
        holds(way, ModelSize.FAIR);
    }

    @ParameterizedTest
    @EnumSource
    void everyPromiseIsKeptInALargerWorld(ModelledOperation way) throws Exception {
        assumeTrue(Boolean.getBoolean("tests.long"), "takes longer: -Plong");
        holds(way, ModelSize.LARGE);
    }

    private static TlcResult holds(ModelledOperation way, ModelSize world) throws Exception {
        boolean liveness = world == ModelSize.FAIR;
        var configuration = way.in(world);
        if (!liveness) {
            configuration.add("SYMMETRY Symmetry");
        }
        Arrays.stream(ModelProperty.values())
                .filter(promise -> promise.isLiveness() == liveness)
                .map(ModelProperty::asked)
                .forEach(configuration::add);
        var verdict = TlcRunner.check(way + "-" + world, "Promises", configuration);
        System.out.println(way + ", " + world + ": " + verdict.size());
        assertThat(verdict.exit()).as(verdict.told()).isEqualTo(TlcResult.HOLDS);
        return verdict;
    }
}
