package dev.refrain.store.contract;

import static dev.refrain.store.contract.Samples.LEASE;
import static dev.refrain.store.contract.Samples.RETENTION;
import static dev.refrain.store.contract.Samples.identity;
import static dev.refrain.store.contract.Samples.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.State;
import dev.refrain.store.Swept;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Looking changes nothing. */
interface FindContract extends Topic {

    @Test
    default void anAbsentRecordIsEmptyAndLookingMakesNone() {
        client().expectAbsent("key-1");
        client().expectAbsent("key-1");

        assertThat(client().store().countKeys(Samples.SCOPE, 10)).isZero();
        assertThat(client().expectAcquired(resumableRequest("key-1")).fence()).isEqualTo(1);
    }

    @ParameterizedTest
    @EnumSource(Situation.class)
    default void aRecordIsSeenAsItIsHoweverOftenItIsLookedAt(Situation situation) {
        var before = situation.create(client(), "key-1");

        for (int i = 0; i < 3; i++) {
            client().expectUnchanged(identity("key-1"), before);
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Situation.class,
            names = {"COMPLETED", "RELEASED"})
    default void anExpiredRecordIsEmptyEvenBeforeItIsReaped(Situation settled) {
        settled.create(client(), "key-1");
        client().advanceTime(RETENTION);

        client().expectAbsent("key-1");
        client().expectAbsent("key-1");
        assertThat(client().store().reap(10)).isEqualTo(1);
    }

    @Test
    default void lookingAtAClaimWhoseLeaseIsOverSettlesNothing() {
        var before = Situation.LEASE_OVER_HOLD.create(client(), "key-1");
        client().advanceTime(LEASE);

        assertThat(client().expectPresent("key-1").state()).isEqualTo(State.IN_PROGRESS);
        assertThat(client().expectPresent("key-1").owner()).isEqualTo(before.owner());
        assertThat(client().attention()).isEmpty();
        assertThat(client().store().sweep(Duration.ZERO, 10)).isEqualTo(new Swept(0, 1, false));
    }
}
