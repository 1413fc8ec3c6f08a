package dev.refrain.store;

import java.time.Instant;

/** One line of the audit trail: what was done to which record, by whom and why, at which moment of the store's clock. */
public record AuditEntry(Instant at, String action, String target, String who, String why) {}
