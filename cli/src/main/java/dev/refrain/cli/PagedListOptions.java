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

/** One page of a list, and how it is shown. */
final class PagedListOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "At most so many (${DEFAULT-VALUE}).")
    private int limit;

    @Option(names = "--after", paramLabel = "CURSOR", description = "Go on where the page before ended.")
    private @Nullable String after;

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    int limit() {
        return limit;
    }

    Optional<String> after() {
        return Optional.ofNullable(after);
    }

    <T> void print(
            OutboxPage<T> page, Function<T, ObjectNode> told, List<String> heads, Function<T, List<String>> row) {
        print("messages", page.rows(), page.next(), told, heads, row);
    }

    /**
     * @param what they are, in JSON
     * @param next from where to go on
     */
    <T> void print(
            String what,
            List<T> rows,
            Optional<String> next,
            Function<T, ObjectNode> told,
            List<String> heads,
            Function<T, List<String>> row) {
        var out = spec.commandLine().getOut();
        var err = spec.commandLine().getErr();
        if (json) {
            var answer = RecordJson.object();
            var all = answer.putArray(what);
            rows.forEach(each -> all.add(told.apply(each)));
            next.ifPresent(cursor -> answer.put("next", cursor));
            out.println(answer);
        } else {
            out.println(TerminalFormat.table(heads, rows.stream().map(row).toList()));
            next.ifPresent(cursor -> err.println("There may be more: go on with --after " + cursor));
        }
        out.flush();
        err.flush();
    }
}
