package dev.refrain.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The protocol as it is modelled keeps its promises, in every state that can be reached. */
class ModelTest {

    @ParameterizedTest
    @EnumSource
    void everyPromiseIsKept(Way way) throws Exception {
        var verdict = safe(way, way.size);
        assertThat(verdict.steps()).as("steps that were taken").isEqualTo(way.steps);
    }

    @ParameterizedTest
    @EnumSource
    void everyKeyEnds(Way way) throws Exception {
        holds(way + "-ends", configuration(way, way.size, "SPECIFICATION Spec", true));
    }

    @ParameterizedTest
    @EnumSource
    void everyPromiseIsKeptInALargerWorld(Way way) throws Exception {
        assumeTrue(Boolean.getBoolean("refrain.long"), "takes long: -Plong");
        safe(way, way.size + "-long");
    }

    private static Verdict safe(Way way, String size) throws Exception {
        var configuration = configuration(way, size, "SPECIFICATION Safe", false);
        configuration.add("SYMMETRY Symmetry");
        return holds(way + "-" + size, configuration);
    }

    private static List<String> configuration(Way way, String size, String specification, boolean liveness)
            throws Exception {
        var lines = new ArrayList<>(way.constants(size));
        lines.add(specification);
        Arrays.stream(Promise.values())
                .filter(promise -> promise.isLiveness() == liveness)
                .map(Promise::asked)
                .forEach(lines::add);
        return lines;
    }

    private static Verdict holds(String name, List<String> configuration) throws Exception {
        var verdict = Tlc.check(name, "Promises", configuration);
        System.out.println(name + ": " + verdict.size());
        assertThat(verdict.exit()).as(verdict.told()).isEqualTo(Verdict.HOLDS);
        return verdict;
    }
}
