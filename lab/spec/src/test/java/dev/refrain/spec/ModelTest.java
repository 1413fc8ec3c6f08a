package dev.refrain.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Arrays;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol as it is modelled keeps its promises, in every state that can be reached. */
class ModelTest {

    @ParameterizedTest
    @EnumSource
    void everyPromiseIsKept(Way way) throws Exception {
        var verdict = holds(way, World.USUAL);
        assertThat(verdict.steps()).as("steps that were taken").isEqualTo(way.steps);
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyEnds(Way way) throws Exception {
        holds(way, World.FAIR);
    }

    @ParameterizedTest
    @EnumSource
    void everyPromiseIsKeptInALargerWorld(Way way) throws Exception {
        assumeTrue(Boolean.getBoolean("refrain.long"), "takes longer: -Plong");
        holds(way, World.LARGE);
    }

    private static Verdict holds(Way way, World world) throws Exception {
        boolean liveness = world == World.FAIR;
        var configuration = way.in(world);
        if (!liveness) {
            configuration.add("SYMMETRY Symmetry");
        }
        Arrays.stream(Promise.values())
                .filter(promise -> promise.isLiveness() == liveness)
                .map(Promise::asked)
                .forEach(configuration::add);
        var verdict = Tlc.check(way + "-" + world, "Promises", configuration);
        System.out.println(way + ", " + world + ": " + verdict.size());
        assertThat(verdict.exit()).as(verdict.told()).isEqualTo(Verdict.HOLDS);
        return verdict;
    }
}
