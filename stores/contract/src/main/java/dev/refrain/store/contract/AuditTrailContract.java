package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.LEASE;
import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.AuditEntry;
import dev.refrain.store.Resolution;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link dev.refrain.store.AuditTrailReader}: actions of people are listed, newest first, with actor and
 * reason.
 */
public interface AuditTrailContract extends StoreContractPart {

    @Test
    default void everyResolutionIsAuditedNewestFirstWithWhoAndWhy() {
        var first = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        var second = client().claimAndEscalate(heldRequest("key-2"), "the connection broke");
        var store = client().store();
        var trail = client().auditTrail();

        store.resolve(new Resolution(first.claim(), new Resolution.RunAgain(), "ann", "not at the bank"));
        client().advanceTime(LEASE);
        store.resolve(new Resolution(second.claim(), new Resolution.Done(null), "bob", "at the bank"));

        assertThat(trail.listAuditTrail(10)).extracting(AuditEntry::who).containsExactly("bob", "ann");
        assertThat(trail.listAuditTrail(10))
                .extracting(AuditEntry::why)
                .containsExactly("at the bank", "not at the bank");
        assertThat(trail.listAuditTrail(10)).extracting(AuditEntry::action).doesNotHaveDuplicates();
        assertThat(trail.listAuditTrail(10).getFirst().target())
                .contains(second.id().toString());
        assertThat(trail.listAuditTrail(10).getLast().target())
                .contains(first.id().toString());
        assertThat(trail.listAuditTrail(1)).extracting(AuditEntry::who).containsExactly("bob");
    }

    @Test
    default void resolutionThatIsRefusedIsNotInTheTrail() {
        var held = client().claimAndEscalate(heldRequest("key-1"), "the connection broke");
        client().resolve(held.claim(), new Resolution.RunAgain());

        StoreTestClient.expectRefused(
                client().store().resolve(new Resolution(held.claim(), new Resolution.RunAgain(), "bob", "once more")));

        assertThat(client().auditTrail().listAuditTrail(10))
                .extracting(AuditEntry::why)
                .doesNotContain("once more")
                .hasSize(1);
    }

    @Test
    default void entrySaysWhenByTheStoresClockAndIsNoOlderThanWhatFollows() {
        for (int i = 0; i < 3; i++) {
            var held = client().claimAndEscalate(heldRequest("key-" + i), "the connection broke");
            client().resolve(held.claim(), new Resolution.RunAgain());
        }

        var trail = client().auditTrail().listAuditTrail(10);

        assertThat(trail).hasSize(3);
        for (int i = 1; i < 3; i++) {
            assertThat(Duration.between(trail.get(i).at(), trail.get(i - 1).at()))
                    .isGreaterThanOrEqualTo(Duration.ZERO);
        }
        assertThat(client().auditTrail().listAuditTrail(2)).isEqualTo(trail.subList(0, 2));
    }
}
