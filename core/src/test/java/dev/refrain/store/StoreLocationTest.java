package dev.refrain.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests what is said where no store module is on the class path; tests of the modules show the rest. */
class StoreLocationTest {

    @Test
    void missingModuleIsNamed() {
        assertThatThrownBy(() -> StoreLocation.of("redis://:secret@localhost").open())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("No store takes URLs that begin with redis:. Add dev.refrain:refrain-store-redis.")
                .hasMessageNotContaining("secret");
    }

    @Test
    void passwordIsNotShown() {
        var location = StoreLocation.of("redis://:secret@localhost").login("", "hidden");

        assertThat(location.isKnown()).isFalse();
        assertThat(location.user()).isEmpty();
        assertThat(location).asString().doesNotContain("secret").doesNotContain("hidden");
    }
}
