package dev.refrain.store;

import java.util.Optional;

/** What a store says to a {@link Write}. */
public sealed interface WriteAnswer {

    /** It is as the write wanted it, now or since an earlier sending of the same write whose reply was lost. */
    record Written() implements WriteAnswer {}

    /** Nothing was changed, because the claim is no longer the record's; this is what is there instead, if anything. */
    record Refused(Optional<StoredRecord> current) implements WriteAnswer {}
}
