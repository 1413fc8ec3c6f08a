package dev.refrain.store.ledger;

import dev.refrain.api.RecordId;
import java.util.Optional;

/**
 * What we expect a ledger to show.
 *
 * @param key the derived key under which it was sent
 * @param recordId of the flow that sends it; empty if the application tells its own side
 * @param point of that flow
 * @param amount in the smallest unit
 */
public record ExpectedLedgerEntry(String key, Optional<RecordId> recordId, Optional<String> point, long amount) {}
