package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;

/** Audit entry: somebody viewed confidential contents. */
record RevealAuditEntry(String action, String target, String who, String why) {

    private static final ParameterizedScript<RevealAuditEntry> NOTE = ParameterizedScript.<RevealAuditEntry>script(
                    "audit_entry")
            .note("action", RevealAuditEntry::action)
            .note("target", RevealAuditEntry::target)
            .note("who", RevealAuditEntry::who)
            .note("why", RevealAuditEntry::why);

    static void write(DedicatedConnection dedicated, String action, String target, String who, String why) {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("Viewing stored contents is audited. Pass who views them and why.");
        }
        dedicated.write("Noting that " + target + " was shown", s -> {
            s.run(NOTE, new RevealAuditEntry(action, target, who, why), (result, columns) -> {});
            return true;
        });
    }
}
