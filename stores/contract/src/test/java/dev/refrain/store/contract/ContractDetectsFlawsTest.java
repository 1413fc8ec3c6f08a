package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.junit.platform.testkit.engine.Event;

/** A suite that passes for a wrong store proves nothing: each of these is wrong in one way, and is caught. */
class ContractDetectsFlawsTest {

    static List<StoreFlaw> flaws() {
        return StoreFlaw.all();
    }

    @ParameterizedTest
    @MethodSource("flaws")
    void flawedStoreIsDetected(StoreFlaw flaw) {
        var events = EngineTestKit.engine("junit-jupiter")
                .configurationParameter(FlawedStoreContractRun.FLAW, flaw.name())
                .selectors(flaw.caughtBy().stream()
                        .map(ContractDetectsFlawsTest::test)
                        .toArray(DiscoverySelector[]::new))
                .execute()
                .testEvents();

        var caughtBy = events.failed().stream()
                .filter(ContractDetectsFlawsTest::byAssertion)
                .map(ContractDetectsFlawsTest::methodName)
                .collect(Collectors.toSet());
        assertThat(caughtBy).containsExactlyInAnyOrderElementsOf(flaw.caughtBy());
    }

    private static DiscoverySelector test(String name) {
        var method = Stream.of(FlawedStoreContractRun.class.getMethods())
                .filter(m -> m.getName().equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The suite has no test " + name));
        return selectMethod(FlawedStoreContractRun.class, method);
    }

    private static boolean byAssertion(Event failed) {
        return failed.getRequiredPayload(TestExecutionResult.class)
                .getThrowable()
                .filter(AssertionError.class::isInstance)
                .isPresent();
    }

    private static String methodName(Event failed) {
        return failed.getTestDescriptor()
                .getSource()
                .map(org.junit.platform.engine.support.descriptor.MethodSource.class::cast)
                .orElseThrow()
                .getMethodName();
    }
}
