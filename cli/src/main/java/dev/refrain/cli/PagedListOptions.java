package dev.refrain.cli;

import dev.refrain.store.outbox.OutboxPage;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;
import tools.jackson.databind.node.ObjectNode;

/** Options of the list commands (page size, cursor, JSON) and the printing of one page. */
final class PagedListOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "Maximum number of rows (default: ${DEFAULT-VALUE}).")
    private int limit;

    @Option(
            names = "--after",
            paramLabel = "CURSOR",
            description = "Continue after this cursor, printed with the previous page.")
    private @Nullable String after;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    int limit() {
        return limit;
    }

    Optional<String> after() {
        return Optional.ofNullable(after);
    }

    <T> void print(
            OutboxPage<T> page,
            Function<T, ObjectNode> toJson,
            List<String> headers,
            Function<T, List<String>> row,
            String ifNone) {
        print("messages", page.rows(), page.next(), toJson, headers, row, ifNone);
    }

    /**
     * Prints one page as a table, or as JSON.
     *
     * @param name the name of the JSON array
     * @param next the cursor of the next page
     * @param ifNone says that there is nothing, and what to do next; printed instead of a table without rows
     */
    <T> void print(
            String name,
            List<T> rows,
            Optional<String> next,
            Function<T, ObjectNode> toJson,
            List<String> headers,
            Function<T, List<String>> row,
            String ifNone) {
        var out = spec.commandLine().getOut();
        var err = spec.commandLine().getErr();
        if (json) {
            var answer = RecordJson.object();
            var all = answer.putArray(name);
            rows.forEach(each -> all.add(toJson.apply(each)));
            next.ifPresent(cursor -> answer.put("next", cursor));
            out.println(RecordJson.text(answer));
        } else if (rows.isEmpty() && next.isEmpty()) {
            out.println(ifNone);
        } else {
            out.println(TerminalFormat.table(headers, rows.stream().map(row).toList()));
            next.ifPresent(cursor -> err.println("More results may follow. Continue with --after " + cursor));
        }
        out.flush();
        err.flush();
    }
}
