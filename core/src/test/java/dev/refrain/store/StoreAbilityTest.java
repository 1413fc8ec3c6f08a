package dev.refrain.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.store.memory.MemoryStore;
import dev.refrain.testing.BareStore;
import org.junit.jupiter.api.Test;

class StoreAbilityTest {

    private final Store bare = BareStore.around(new MemoryStore());

    @Test
    void storeHasTheAbilitiesItImplements() {
        assertThat(StoreAbility.of(new MemoryStore()))
                .containsExactlyInAnyOrder(
                        StoreAbility.COMPLETION,
                        StoreAbility.ERASURE,
                        StoreAbility.AUDIT_TRAIL,
                        StoreAbility.COUNTS,
                        StoreAbility.KEPT_REQUESTS);
        assertThat(StoreAbility.of(bare)).isEmpty();
    }

    @Test
    void missingAbilityIsRefusedWithFeatureAbilityAndStore() {
        assertThatThrownBy(() -> StoreAbility.require(bare, RecordBrowser.class, "The console"))
                .isInstanceOfSatisfying(MissingAbilityException.class, missing -> {
                    assertThat(missing.feature()).isEqualTo("The console");
                    assertThat(missing.ability()).isEqualTo("browsing");
                    assertThat(missing.store()).isEqualTo("memory");
                })
                .hasMessage("The console needs a store with the ability \"browsing\", which memory does not have."
                        + " Use a store that has it (docs/stores.md), or leave this out.");
    }

    @Test
    void quotaIsRefusedAtStartOnStoreThatCannotCount() {
        var settings = RefrainSettings.defaults().maxKeysPerScope(10);

        assertThatThrownBy(() -> Refrain.using(bare, settings))
                .isInstanceOf(MissingAbilityException.class)
                .hasMessageContaining("max-keys-per-scope")
                .hasMessageContaining("memory");
    }

    @Test
    void operationsRunOnStoreWithoutAnyAbility() {
        try (var refrain = Refrain.using(bare)) {
            var pay = refrain.operation("pay", String.class).leased(LeaseExpiryPolicy.RESUME);

            assertThat(pay.run(OperationCall.scope("tenant").key("key").request("request"), claim -> "paid"))
                    .isEqualTo("paid");
            assertThat(pay.run(OperationCall.scope("tenant").key("key").request("request"), claim -> "twice"))
                    .isEqualTo("paid");
        }
    }

    @Test
    void administrationSaysWhatTheStoreCannotDo() {
        try (var refrain = Refrain.using(bare)) {
            var admin = refrain.admin();

            assertThat(admin.abilities()).isEmpty();
            assertThatThrownBy(admin::unsettledCounts).isInstanceOf(MissingAbilityException.class);
            assertThatThrownBy(() -> admin.listAuditTrail(10)).isInstanceOf(MissingAbilityException.class);
            assertThatThrownBy(() -> admin.erase(new ErasureRequest.OfScope("tenant"), "ann", "asked to"))
                    .isInstanceOf(MissingAbilityException.class);
            assertThatCode(() -> admin.listAttention(10)).doesNotThrowAnyException();
        }
    }
}
