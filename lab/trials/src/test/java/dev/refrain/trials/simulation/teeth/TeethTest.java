package dev.refrain.trials.simulation.teeth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.trials.simulation.Simulation;
import dev.refrain.trials.simulation.law.Law;
import dev.refrain.trials.simulation.world.Tampering;
import java.util.ArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A simulation that finds nothing proves nothing unless it finds what is there: each rule broken on purpose is noticed. */
class TeethTest {

    /** Within so many worlds, the first ones of {@code SimulationTest}. */
    private static final int SEEDS = 300;

    private static final long FIRST = 1;

    @ParameterizedTest
    @EnumSource(Tooth.class)
    void aBrokenRuleIsNoticedWithin300Seeds(Tooth tooth) {
        long seed = assertFound(tooth, Law::whole);
        System.out.println(tooth + ": seed " + seed + ", "
                + Simulation.ofBroken(tooth.tampering, Law::whole).replay(seed).violations());
    }

    @ParameterizedTest
    @EnumSource(Tooth.class)
    void whatItDoesToCallersIsNoticedToo(Tooth tooth) {
        if (tooth.consequence == Tooth.Consequence.SEEN_OUTSIDE) {
            assertFound(tooth, Law::outside);
        }
    }

    /** The others do not hear of such runs: nothing is promised of them. */
    @Test
    void whatRunsWithoutProtectionAndWithoutNeedIsNoticedByTheRuleAboutThat() {
        var simulation = Simulation.ofBroken(Tooth.STORE_SAYS_THAT_IT_IS_AWAY.tampering, Law::outside);
        long seed = simulation.run(FIRST, SEEDS).failing().orElseThrow();

        assertThat(simulation.replay(seed).violations())
                .extracting(Law.Violation::rule)
                .containsOnly("FailsOpenRightly");
    }

    @Test
    void theSameWorldsAreLawfulOnAStoreThatIsNotTamperedWith() {
        var none = new ArrayList<Long>();
        Simulation.ofBroken(Tampering.withStore(store -> new Tampered(store) {}), Law::whole)
                .run(FIRST, SEEDS)
                .failing()
                .ifPresent(none::add);
        assertThat(none).isEmpty();
    }

    private static long assertFound(Tooth tooth, Supplier<Law> law) {
        var report = Simulation.ofBroken(tooth.tampering, law).run(FIRST, SEEDS);
        assertThat(report.failing()).as("%s within %d seeds", tooth, SEEDS).isPresent();
        return report.failing().get();
    }
}
