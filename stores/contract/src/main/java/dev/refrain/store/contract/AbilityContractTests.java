package dev.refrain.store.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.MissingAbilityException;
import dev.refrain.store.StoreAbility;
import java.util.EnumMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that a store has exactly the abilities whose suites its test class implements. */
interface AbilityContractTests extends StoreContractPart {

    private static Map<StoreAbility, Class<? extends StoreContractPart>> suites() {
        var suites = new EnumMap<StoreAbility, Class<? extends StoreContractPart>>(StoreAbility.class);
        suites.put(StoreAbility.COMPLETION, CompletionContract.class);
        suites.put(StoreAbility.ERASURE, ErasureContract.class);
        suites.put(StoreAbility.AUDIT_TRAIL, AuditTrailContract.class);
        suites.put(StoreAbility.COUNTS, CountsContract.class);
        suites.put(StoreAbility.BROWSING, BrowsingContract.class);
        suites.put(StoreAbility.TRANSACTIONS, TransactionsContract.class);
        suites.put(StoreAbility.OUTBOX, OutboxContract.class);
        suites.put(StoreAbility.OUTBOX_BROWSING, OutboxBrowsingContract.class);
        suites.put(StoreAbility.LEDGER, LedgerContract.class);
        suites.put(StoreAbility.WAKEUPS, WakeupsContract.class);
        suites.put(StoreAbility.KEPT_REQUESTS, KeptRequestContract.class);
        suites.put(StoreAbility.ENCRYPTION_MARKS, EncryptionMarkContract.class);
        return suites;
    }

    @Test
    default void storeHasTheAbilitiesWhoseSuitesItsTestLists() {
        assertThat(suites()).containsOnlyKeys(StoreAbility.values());
        suites().forEach((ability, suite) -> assertThat(ability.isIn(client().store()))
                .as("%s is listed as %s", ability.label(), suite.getSimpleName())
                .isEqualTo(suite.isInstance(this)));
    }

    @Test
    default void featureWithoutItsAbilityIsRefusedAndBothAreNamed() {
        var store = client().store();
        for (var ability : StoreAbility.values()) {
            if (ability.isIn(store)) {
                assertThat(StoreAbility.require(store, ability.type(), "A feature"))
                        .isInstanceOf(ability.type());
            } else {
                assertThatThrownBy(() -> StoreAbility.require(store, ability.type(), "A feature"))
                        .isInstanceOf(MissingAbilityException.class)
                        .hasMessageContaining("A feature")
                        .hasMessageContaining(ability.label())
                        .hasMessageContaining(store.traits().name());
            }
        }
    }

    @Test
    default void quotaIsRefusedAtStartExactlyWhereTheStoreCannotCount() {
        var settings = RefrainSettings.defaults().maxKeysPerScope(1_000);
        if (StoreAbility.COUNTS.isIn(client().store())) {
            assertThatCode(() -> Refrain.using(client().store(), settings).close())
                    .doesNotThrowAnyException();
        } else {
            assertThatThrownBy(() -> Refrain.using(client().store(), settings))
                    .isInstanceOf(MissingAbilityException.class)
                    .hasMessageContaining(client().store().traits().name());
        }
    }

    @Test
    default void erasureIsRefusedExactlyWhereTheStoreCannotErase() {
        try (var refrain = Refrain.using(client().store())) {
            var nobody = new ErasureRequest.OfScope("nobody");
            if (StoreAbility.ERASURE.isIn(client().store())) {
                assertThat(refrain.admin().erase(nobody, "ann", "asked to").erased())
                        .isZero();
            } else {
                assertThatThrownBy(() -> refrain.admin().erase(nobody, "ann", "asked to"))
                        .isInstanceOf(MissingAbilityException.class);
            }
        }
    }

    @Test
    default void traitsNameTheStoreAndBoundWhatItTakes() {
        var traits = client().store().traits();

        assertThat(traits.name()).isNotBlank();
        assertThat(traits.limits().batchRows()).isPositive();
        assertThat(traits.limits().concurrentBatches()).isPositive();
        assertThat(traits.limits().payloadBytes()).isGreaterThanOrEqualTo(64 << 10);
    }
}
