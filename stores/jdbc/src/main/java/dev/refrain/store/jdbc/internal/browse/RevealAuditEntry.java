package dev.refrain.store.jdbc.internal.browse;

import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;

/** A line of the audit trail: somebody had something confidential shown. */
record RevealAuditEntry(String action, String target, String who, String why) {

    private static final ParameterizedScript<RevealAuditEntry> NOTE = ParameterizedScript.<RevealAuditEntry>script(
                    "note")
            .text("action", RevealAuditEntry::action)
            .text("target", RevealAuditEntry::target)
            .text("who", RevealAuditEntry::who)
            .text("why", RevealAuditEntry::why);

    static void write(DedicatedConnection lane, String action, String target, String who, String why) {
        if (who.isBlank() || why.isBlank()) {
            throw new IllegalArgumentException("What is stored is shown to someone, for a reason: say who and why.");
        }
        lane.write("Noting that " + target + " was shown", s -> {
            s.run(NOTE, new RevealAuditEntry(action, target, who, why), (result, columns) -> {});
            return true;
        });
    }
}
