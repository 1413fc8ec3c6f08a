package dev.refrain.cli;

import dev.refrain.store.RecordView;
import dev.refrain.store.Resolution;
import dev.refrain.store.WriteResponse;
import java.io.PrintWriter;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A person's decision on a record in ATTENTION: looked at, confirmed, carried out unless it moved on meanwhile. */
final class RecordDecisionMixin {

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final RecordSelectionOptions wanted = new RecordSelectionOptions();

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    /**
     * @param deed as a participle: what is done to the record
     * @param question what is confirmed
     */
    void decide(String deed, String question, Supplier<Resolution.Verdict> verdict, PrintWriter out) {
        String reason = audit.reason();
        store.withStore(opened -> {
            var record = wanted.findInAttention(opened.recordBrowser(), deed);
            var decided = verdict.get();
            audit.confirm("Record " + record.claim().id() + ": "
                    + record.attention()
                            .map(a -> TerminalFormat.escape(a.reason()) + " ")
                            .orElse("") + question);
            var answer = opened.resolve(new Resolution(record.claim(), decided, audit.by(), reason));
            if (!(answer instanceof WriteResponse.Written)) {
                throw CommandFailedException.failed(
                        "Record " + record.claim().id() + " moved on since it was looked at: nothing was done.", null);
            }
            tell(record, deed, out);
            return true;
        });
    }

    private void tell(RecordView record, String deed, PrintWriter out) {
        out.println(
                json
                        ? RecordJson.object()
                                .put("id", record.claim().id().toString())
                                .put("done", deed)
                                .toString()
                        : "Record " + record.claim().id() + " is " + deed + ".");
        out.flush();
    }
}
