package dev.refrain.store;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import java.util.Optional;

/**
 * Store ability: keeps the request of a claim as it was received, for the person who has to decide about a record in ATTENTION.
 *
 * <p>{@link Store#claim} stores {@link ClaimRequest#keptRequest} in the same step as the claim, if none is stored yet. Only a record that
 * is IN_PROGRESS or in ATTENTION has one: whatever settles or releases the record removes it in the same step. Erasure removes it even
 * from a record in use, which is otherwise left alone. A takeover keeps it; the next claim of a released record brings its own. No decision of the protocol reads it.
 */
public interface KeptRequestReader {

    /** Reads the kept request of a record. Empty if there is none, or if the record is settled, released, expired or absent. */
    Optional<Payload> readKeptRequest(ScopedKey identity);
}
