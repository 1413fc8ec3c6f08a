package dev.refrain.store.contract;

import static dev.refrain.store.contract.StoreTestData.heldRequest;
import static dev.refrain.store.contract.StoreTestData.payload;
import static dev.refrain.store.contract.StoreTestData.resumableRequest;
import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.EncryptionMarks;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Suite of the ability {@link EncryptionMarks}: an instance that opens the store learns that others encrypt in it.
 *
 * <p>An encrypting store may have marks of its own from the start.
 */
public interface EncryptionMarkContract extends StoreContractPart {

    private EncryptionMarks marks() {
        return client().ability(EncryptionMarks.class);
    }

    @Test
    default void markOfEncryptionIsSeenByEveryInstance() {
        marks().addEncryptionMark("2026-11 0a0b0c0d");

        assertThat(client().harness()
                        .openSecond()
                        .ability(EncryptionMarks.class)
                        .orElseThrow()
                        .listEncryptionMarks())
                .contains("2026-11 0a0b0c0d");
    }

    @Test
    default void markOfEncryptionIsAddedOnceAndReplacesNone() {
        var before = marks().listEncryptionMarks().size();
        marks().addEncryptionMark("one 01");
        marks().addEncryptionMark("two 02");
        marks().addEncryptionMark("one 01");

        assertThat(marks().listEncryptionMarks()).contains("one 01", "two 02").hasSize(before + 2);
    }

    @Test
    default void payloadsAreToldApartByTheirFirstByte() {
        assertThat(firstBytesThatAllHave()).as("of an empty store").hasSize(256);

        client().claimAndComplete(resumableRequest("key-1"), "an outcome");

        assertThat(firstBytesThatAllHave()).as("of one outcome").hasSize(1);
    }

    @Test
    default void requestOfUnfinishedRecordIsToldApartToo() {
        client().claim(heldRequest("key-1").withKeptRequest(payload("a request")));

        assertThat(firstBytesThatAllHave()).hasSize(1);
    }

    private List<Integer> firstBytesThatAllHave() {
        return IntStream.range(0, 256)
                .filter(first -> !marks().hasPayloadsNotBeginningWith((byte) first))
                .boxed()
                .toList();
    }
}
