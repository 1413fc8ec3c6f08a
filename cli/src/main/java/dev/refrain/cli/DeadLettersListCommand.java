package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.DeadLetterView;
import dev.refrain.store.outbox.MessageSettlement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code refrain deadletters list}: prints one page of dead letters and the cursor of the next. */
@Command(
        name = "list",
        description = {
            "List dead letters, oldest first.",
            "Each call scans a limited number of rows, so a page can be short or empty even if there are more; "
                    + "it then prints the cursor for --after."
        },
        footer = {"", "Example:", "  refrain deadletters list --store jdbc:postgresql://db/shop --cause UNKNOWN"})
final class DeadLettersListCommand implements Callable<Integer> {

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--topic", paramLabel = "NAME", description = "Only messages of this topic.")
    private @Nullable String topic;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            description = "Only dead letters with this cause: ${COMPLETION-CANDIDATES}.")
    private MessageSettlement.@Nullable Cause cause;

    @Mixin
    private final PagedListOptions page = new PagedListOptions();

    @Override
    public Integer call() {
        try {
            var search = new DeadLetterSearch(
                    Optional.ofNullable(topic), Optional.ofNullable(cause), page.after(), page.limit());
            page.print(
                    store.withStore(opened -> opened.outboxBrowser().searchDeadLetters(search)),
                    OutboxMessageJson::of,
                    List.of("DEAD FOR", "CAUSE", "ATTEMPTS", "TOPIC", "ID", "REASON"),
                    DeadLettersListCommand::row,
                    "No dead letters. See messages that wait to be delivered: refrain outbox topics");
        } catch (IllegalArgumentException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
        return ExitCode.OK;
    }

    private static List<String> row(DeadLetterView message) {
        return List.of(
                TerminalFormat.duration(Duration.between(message.since(), message.seen())),
                message.cause().name(),
                Integer.toString(message.attempts()),
                TerminalFormat.escape(message.topic()),
                message.id().toString(),
                TerminalFormat.escape(message.reason()));
    }
}
