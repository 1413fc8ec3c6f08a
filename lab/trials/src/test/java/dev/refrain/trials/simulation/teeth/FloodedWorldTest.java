package dev.refrain.trials.simulation.teeth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.trials.simulation.world.FloodedWorld;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One scope sends ten times what the store can take: the others notice nothing, and refused calls leave nothing. */
class FloodedWorldTest {

    private static final long SEED = 1;
    private static final int WORLDS = 20;

    /** Product that is broken on purpose. */
    enum BrokenAdmission {
        /** The queue serves calls in order of arrival: all scopes are one to it. */
        ONE_QUEUE_FOR_ALL(
                new FloodedWorld.Defect(scope -> "all", UnaryOperator.identity(), UnaryOperator.identity()),
                "Did not run, because another scope floods the store"),
        /** The queue takes whatever comes, as if each caller waited for ever. */
        ADMITS_EVERYTHING(
                new FloodedWorld.Defect(
                        UnaryOperator.identity(), patience -> patience.multipliedBy(40), UnaryOperator.identity()),
                "ran in time"),
        /** Calls are refused after they were claimed. */
        CLAIMS_FOR_NOBODY(
                new FloodedWorld.Defect(
                        UnaryOperator.identity(), UnaryOperator.identity(), BrokenClaims::claimsForNobody),
                "Left a record");

        private final FloodedWorld.Defect defect;
        private final String noticed;

        BrokenAdmission(FloodedWorld.Defect defect, String noticed) {
            this.defect = defect;
            this.noticed = noticed;
        }
    }

    @Test
    void floodOfOneScopeDelaysNobodyElseAndRefusedCallsLeaveNothing() {
        for (long seed = SEED; seed < SEED + WORLDS; seed++) {
            assertThat(new FloodedWorld(seed, FloodedWorld.Defect.NONE).live())
                    .as("seed %d", seed)
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(BrokenAdmission.class)
    void brokenAdmissionIsNoticed(BrokenAdmission broken) {
        assertThat(new FloodedWorld(SEED, broken.defect).live())
                .anySatisfy(violation -> assertThat(violation).contains(broken.noticed));
    }
}
