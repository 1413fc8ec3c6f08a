package dev.refrain.cli;

import dev.refrain.store.AttentionItem;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain attention}: lists the keys whose outcome is unknown. */
@Command(
        name = "attention",
        description = {
            "List keys in ATTENTION (outcome unknown), oldest first.",
            "Settle each with `refrain keys resolve` or `refrain keys release`. Until then they never run again, "
                    + "and their callers get a 409."
        },
        footer = {
            "",
            "Examples:",
            "  refrain attention --store jdbc:sqlite:refrain-gateway.db",
            "  REFRAIN_STORE_PASSWORD=… refrain attention --user me \\",
            "      --store jdbc:postgresql://db/shop --json"
        })
final class AttentionCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "100",
            description = "Maximum number of rows (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        if (limit < 1) {
            throw CommandFailedException.usage("--limit must be at least 1, but was " + limit + ".");
        }
        var items = store.withStore(opened -> opened.listAttention(limit));
        var out = spec.commandLine().getOut();
        if (json) {
            var answer = RecordJson.array();
            items.forEach(item -> answer.add(RecordJson.of(item)));
            out.println(RecordJson.text(answer));
        } else if (items.isEmpty()) {
            out.println(
                    "No keys in ATTENTION: nothing to decide. If you expected some, check that --store (and --schema) is the"
                            + " database of the application; see its keys: refrain keys list");
        } else {
            out.println(TerminalFormat.table(
                    List.of("AGE", "SCOPE", "NAMESPACE", "KEY", "OPERATION", "ID", "REASON", "MAY HAVE SENT"),
                    items.stream().map(AttentionCommand::row).toList()));
        }
        out.flush();
        return ExitCode.OK;
    }

    private static List<String> row(AttentionItem item) {
        return List.of(
                TerminalFormat.duration(item.explanation().age()),
                TerminalFormat.escape(item.identity().scope()),
                TerminalFormat.escape(item.identity().namespace()),
                TerminalFormat.escape(item.identity().key()),
                TerminalFormat.escape(item.explanation().operation().orElse("")),
                item.claim().id().toString(),
                TerminalFormat.escape(item.reason()),
                item.explanation().calls().stream()
                        .map(call -> TerminalFormat.escape(call.step() + " " + call.derivedKey()))
                        .collect(Collectors.joining(", ")));
    }
}
