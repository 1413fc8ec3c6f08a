package dev.refrain.trials.simulation.teeth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.trials.simulation.Simulation;
import dev.refrain.trials.simulation.law.InvariantChecker;
import dev.refrain.trials.simulation.world.SimulationMutation;
import java.util.ArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks that the simulation notices each rule that is broken on purpose; otherwise its silence would prove nothing. */
class MutantDetectionTest {

    /** Worlds within which a mutant must be noticed, the first ones of {@code SimulationTest}. */
    private static final int SEEDS = 600;

    private static final long FIRST = 1;

    @ParameterizedTest
    @EnumSource(ProtocolMutant.class)
    void brokenRuleIsNoticedWithin300Seeds(ProtocolMutant tooth) {
        long seed = assertFound(tooth, InvariantChecker::whole);
        System.out.println(tooth + ": seed " + seed + ", "
                + Simulation.ofBroken(tooth.tampering, InvariantChecker::whole)
                        .replay(seed)
                        .violations());
    }

    @ParameterizedTest
    @EnumSource(ProtocolMutant.class)
    void consequenceForCallersIsDetectedToo(ProtocolMutant tooth) {
        if (tooth.consequence == ProtocolMutant.Consequence.SEEN_OUTSIDE) {
            assertFound(tooth, InvariantChecker::outside);
        }
    }

    /** Other rules do not see unprotected runs, of which nothing is promised. */
    @Test
    void needlessUnprotectedRunIsDetectedByItsRule() {
        var simulation =
                Simulation.ofBroken(ProtocolMutant.STORE_SAYS_THAT_IT_IS_AWAY.tampering, InvariantChecker::outside);
        long seed = simulation.run(FIRST, SEEDS).failing().orElseThrow();

        assertThat(simulation.replay(seed).violations())
                .extracting(InvariantChecker.Violation::rule)
                .containsOnly("FailOpenRule");
    }

    @Test
    void sameWorldsAreLawfulOnAStoreThatIsNotTamperedWith() {
        var none = new ArrayList<Long>();
        Simulation.ofBroken(SimulationMutation.withStore(store -> new MutantStore(store) {}), InvariantChecker::whole)
                .run(FIRST, SEEDS)
                .failing()
                .ifPresent(none::add);
        assertThat(none).isEmpty();
    }

    private static long assertFound(ProtocolMutant tooth, Supplier<InvariantChecker> law) {
        var report = Simulation.ofBroken(tooth.tampering, law).run(FIRST, SEEDS);
        assertThat(report.failing()).as("%s within %d seeds", tooth, SEEDS).isPresent();
        return report.failing().get();
    }
}
