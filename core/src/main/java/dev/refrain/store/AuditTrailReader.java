package dev.refrain.store;

import java.util.List;

/**
 * Store ability: lists the audit trail, which {@link Store#resolve} and every other decision of a person writes in the same step
 * whether or not it can be listed.
 *
 * <p>Thread-safe; failures are {@link StoreException}s.
 */
public interface AuditTrailReader {

    /** Lists actions of people, rules and the reconciler, newest first. */
    List<AuditEntry> listAuditTrail(int limit);
}
