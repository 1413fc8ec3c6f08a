package dev.refrain.cli;

import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordView;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain keys show}: prints one key with everything the store knows about it. */
@Command(
        name = "show",
        description = {
            "Show one key: its state, its times and its audit trail.",
            "Use --reveal to include its request and response."
        },
        footer = {
            "",
            "Examples:",
            "  refrain keys show --store jdbc:postgresql://db/shop --user me \\",
            "      --scope acme --namespace orders --key order-7",
            "  refrain keys show --store … --id ID --reveal --reason 'ticket 7'"
        })
final class KeysShowCommand implements Callable<Integer> {

    private static final int AUDIT_LIMIT = 100;

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Mixin
    private final RecordSelectionOptions selection = new RecordSelectionOptions();

    @Option(names = "--reveal", description = "Include the request and the response. Audited; requires --reason.")
    private boolean reveal;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        store.withStore(opened -> {
            var record = selection.find(opened);
            Optional<RecordContents> contents = reveal ? Optional.of(revealed(opened, record)) : Optional.empty();
            var trail = opened.recordBrowser().audit(record.claim().id(), AUDIT_LIMIT);
            var out = spec.commandLine().getOut();
            if (json) {
                var answer = RecordJson.of(record);
                answer.set("trail", RecordJson.of(trail));
                contents.ifPresent(c -> answer.set("contents", c.json()));
                out.println(RecordJson.text(answer));
            } else {
                print(out, record, trail);
                contents.ifPresent(c -> c.print(out));
            }
            out.flush();
            return true;
        });
        return ExitCode.OK;
    }

    private RecordContents revealed(OpenedStore opened, RecordView record) {
        String reason = audit.reason();
        var identity = record.identity()
                .orElseThrow(() -> CommandFailedException.failed(
                        "Record " + record.claim().id() + " was erased: its request and response are gone.", null));
        audit.confirm(
                "Reveal the request and response of record " + record.claim().id() + "? This is audited.");
        opened.recordBrowser().auditReveal(record.claim().id(), audit.by(), reason);
        return RecordContents.of(opened.find(identity), opened.readKeptRequest(identity));
    }

    private static void print(PrintWriter out, RecordView record, List<AuditEntry> trail) {
        var json = RecordJson.of(record);
        json.properties().forEach(property -> {
            if (!property.getValue().isObject()) {
                out.printf(
                        "%-18s %s%n",
                        property.getKey(),
                        TerminalFormat.escape(property.getValue().asString()));
            }
        });
        record.attention()
                .ifPresent(waiting -> out.printf(
                        "%-18s %s (since %s)%n",
                        "attention", TerminalFormat.escape(waiting.reason()), TerminalFormat.moment(waiting.since())));
        print(out, record.explanation());
        trail.forEach(entry -> out.printf(
                "%-18s %s %s by %s: %s%n",
                "trail",
                TerminalFormat.moment(entry.at()),
                TerminalFormat.escape(entry.action()),
                TerminalFormat.escape(entry.who()),
                TerminalFormat.escape(entry.why())));
    }

    private static void print(PrintWriter out, RecordExplanation explanation) {
        out.printf("%-18s %s%n", "age", TerminalFormat.duration(explanation.age()));
        explanation.operation().ifPresent(name -> out.printf("%-18s %s%n", "operation", TerminalFormat.escape(name)));
        explanation.caller().ifPresent(name -> out.printf("%-18s %s%n", "caller", TerminalFormat.escape(name)));
        explanation.traceId().ifPresent(id -> out.printf("%-18s %s%n", "trace", id));
        explanation
                .calls()
                .forEach(call -> out.printf(
                        "%-18s %s under key %s%s%n",
                        "may have sent",
                        TerminalFormat.escape(call.step()),
                        call.derivedKey(),
                        call.announcedAt()
                                .map(at -> ", announced " + TerminalFormat.moment(at))
                                .orElse("")));
        explanation
                .attempts()
                .forEach(attempt -> out.printf(
                        "%-18s %s%s to %s%s%s%n",
                        "attempt " + attempt.fence(),
                        attempt.instance()
                                .map(name -> TerminalFormat.escape(name) + ", ")
                                .orElse(""),
                        attempt.began().map(TerminalFormat::moment).orElse("?"),
                        attempt.ended()
                                .map(TerminalFormat::moment)
                                .orElse(attempt.endReason().isPresent() ? "?" : "now"),
                        attempt.endReason()
                                .map(why -> ": " + TerminalFormat.escape(why))
                                .orElse(""),
                        attempt.traceId().map(id -> " (trace " + id + ")").orElse("")));
    }
}
