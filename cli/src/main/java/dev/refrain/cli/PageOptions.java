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

/** One page of a list of messages, and how it is shown. */
final class PageOptions {

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
        var out = spec.commandLine().getOut();
        var err = spec.commandLine().getErr();
        if (json) {
            var answer = RecordJson.object();
            var messages = answer.putArray("messages");
            page.rows().forEach(message -> messages.add(told.apply(message)));
            page.next().ifPresent(next -> answer.put("next", next));
            out.println(answer);
        } else {
            out.println(Shown.table(heads, page.rows().stream().map(row).toList()));
            page.next().ifPresent(next -> err.println("There may be more: go on with --after " + next));
        }
        out.flush();
        err.flush();
    }
}
