package dev.refrain.cli;

import dev.refrain.api.RecordId;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * Options and steps shared by the commands that decide on a record in ATTENTION: select, confirm, apply unless it
 * changed meanwhile.
 */
final class RecordDecisionMixin {

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final RecordSelectionOptions selection = new RecordSelectionOptions();

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    /**
     * Applies a decision to the selected record.
     *
     * @param deed the past participle to report, for example {@code released}
     * @param question the confirmation prompt
     */
    void decide(String deed, String question, Supplier<Resolution.Verdict> verdict, PrintWriter out) {
        String reason = audit.reason();
        store.withStore(opened -> {
            var record = selection.findInAttention(opened, deed);
            var decided = verdict.get();
            opened.requireKeysFor(decided);
            audit.confirm("Record " + record.claim().id() + ": "
                    + record.reason()
                            .map(why -> TerminalFormat.escape(why) + " ")
                            .orElse("") + question);
            var response = opened.resolve(new Resolution(record.claim(), decided, audit.by(), reason));
            if (!(response instanceof RecordWriteResponse.Written)) {
                throw CommandFailedException.failed(
                        "Record " + record.claim().id()
                                + " changed in the meantime; nothing was done. Run `refrain keys show` and decide again.",
                        null);
            }
            printResult(record.claim().id(), deed, out);
            return true;
        });
    }

    String reason() {
        return audit.reason();
    }

    private void printResult(RecordId id, String deed, PrintWriter out) {
        out.println(
                json
                        ? RecordJson.object()
                                .put("id", id.toString())
                                .put("done", deed)
                                .toString()
                        : "Record " + id + " was " + deed + ".");
        out.flush();
    }
}
