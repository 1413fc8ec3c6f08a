package dev.refrain.store.jdbc;

import dev.refrain.store.contract.StoreHarness;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.io.TempDir;

/** The suites on a store of which one ability is wrong. Run by {@link AbilityContractsDetectFlawsTest} alone. */
@ExtendWith(FlawedAbilityContractRun.FlawParameterResolver.class)
class FlawedAbilityContractRun extends JdbcStoreContract {

    static final String FLAW = "refrain.contract.ability.flaw";

    private final AbilityFlaw flaw;

    @TempDir
    Path directory;

    FlawedAbilityContractRun(AbilityFlaw flaw) {
        this.flaw = flaw;
    }

    @Override
    protected StoreHarness newHarness() {
        return new SqliteStoreHarness(directory, flaw.in());
    }

    static final class FlawParameterResolver implements ParameterResolver {
        @Override
        public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
            return parameter.getParameter().getType() == AbilityFlaw.class;
        }

        @Override
        public AbilityFlaw resolveParameter(ParameterContext parameter, ExtensionContext context) {
            String name = context.getConfigurationParameter(FLAW).orElseThrow();
            return AbilityFlaw.all().stream()
                    .filter(flaw -> flaw.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
