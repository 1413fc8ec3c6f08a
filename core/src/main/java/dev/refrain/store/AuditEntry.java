package dev.refrain.store;

import java.time.Instant;

/** Entry of the audit trail: action, record, actor, reason and time by the store's clock. */
public record AuditEntry(Instant at, String action, String target, String who, String why) {}
