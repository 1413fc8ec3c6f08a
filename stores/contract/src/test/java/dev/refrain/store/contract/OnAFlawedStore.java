package dev.refrain.store.contract;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The suite on a store that is wrong in one way. Run by {@link SuiteHasTeethTest} alone. */
@ExtendWith(OnAFlawedStore.FlawToRun.class)
class OnAFlawedStore extends StoreContract {

    static final String FLAW = "refrain.contract.flaw";

    private final Flaw flaw;

    OnAFlawedStore(Flaw flaw) {
        this.flaw = flaw;
    }

    @Override
    protected StoreHarness newHarness() {
        return new MemoryHarness(flaw.in());
    }

    static final class FlawToRun implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == Flaw.class;
        }

        @Override
        public Flaw resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return Flaw.named(context.getConfigurationParameter(FLAW).orElseThrow());
        }
    }
}
