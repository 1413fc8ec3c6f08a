package dev.refrain.store;

import java.util.List;

/**
 * Store ability: lists the audit trail, which {@link Store#resolve} and every other decision of a person writes in the same
 * step whether or not it can be listed.
 *
 * <p>Safe for use by many threads; failures are {@link StoreException}s.
 */
public interface AuditTrailReader {

    /** Lists what people, rules and the reconciler did, newest first. */
    List<AuditEntry> listAuditTrail(int limit);
}
