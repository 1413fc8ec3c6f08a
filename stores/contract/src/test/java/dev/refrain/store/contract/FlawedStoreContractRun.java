package dev.refrain.store.contract;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The suite on a store that is wrong in one way. Run by {@link ContractDetectsFlawsTest} alone. */
@ExtendWith(FlawedStoreContractRun.FlawParameterResolver.class)
class FlawedStoreContractRun extends StoreContract
        implements CompletionContract, ErasureContract, AuditTrailContract, CountsContract, KeptRequestContract {

    static final String FLAW = "refrain.contract.flaw";

    private final StoreFlaw flaw;

    FlawedStoreContractRun(StoreFlaw flaw) {
        this.flaw = flaw;
    }

    @Override
    protected StoreHarness newHarness() {
        return new MemoryStoreHarness(flaw.in());
    }

    static final class FlawParameterResolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == StoreFlaw.class;
        }

        @Override
        public StoreFlaw resolveParameter(ParameterContext parameter, ExtensionContext context) {
            return StoreFlaw.named(context.getConfigurationParameter(FLAW).orElseThrow());
        }
    }
}
