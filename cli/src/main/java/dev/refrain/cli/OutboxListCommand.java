package dev.refrain.cli;

import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code refrain outbox list}: prints one page of waiting messages and the cursor of the next. */
@Command(
        name = "list",
        description = {
            "List waiting messages in the order they were staged.",
            "Each call scans a limited number of rows, so a page can be short or empty even if there are more; "
                    + "it then prints the cursor for --after."
        },
        footer = {"", "Example:", "  refrain outbox list --store jdbc:postgresql://db/shop --topic orders --failing"})
final class OutboxListCommand implements Callable<Integer> {

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--topic", paramLabel = "NAME", description = "Only messages of this topic.")
    private @Nullable String topic;

    @Option(names = "--failing", description = "Only messages with a failed delivery attempt.")
    private boolean failing;

    @Mixin
    private final PagedListOptions page = new PagedListOptions();

    @Override
    public Integer call() {
        try {
            var search = new WaitingMessageSearch(Optional.ofNullable(topic), failing, page.after(), page.limit());
            page.print(
                    store.withStore(opened -> opened.outboxBrowser().searchWaiting(search)),
                    OutboxMessageJson::of,
                    List.of("AGE", "DUE", "ATTEMPTS", "TOPIC", "ORDER", "ID", "LAST ERROR"),
                    OutboxListCommand::row,
                    "No waiting messages. See those that could not be delivered: refrain deadletters list");
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
        return ExitCode.OK;
    }

    private static List<String> row(WaitingMessage message) {
        var times = message.times();
        return List.of(
                TerminalFormat.duration(Duration.between(times.staged(), times.seen())),
                due(message),
                Integer.toString(message.attempts()),
                TerminalFormat.escape(message.topic()),
                TerminalFormat.escape(message.orderKey().orElse("-")),
                message.id().toString(),
                TerminalFormat.escape(message.reason().orElse("-")));
    }

    private static String due(WaitingMessage message) {
        if (message.underWay()) {
            return "in flight";
        }
        var left = Duration.between(message.times().seen(), message.times().due());
        return left.isPositive() ? "in " + TerminalFormat.duration(left) : "now";
    }
}
