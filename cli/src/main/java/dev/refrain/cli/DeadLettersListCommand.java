package dev.refrain.cli;

import dev.refrain.store.outbox.DeadMessage;
import dev.refrain.store.outbox.DeadSearch;
import dev.refrain.store.outbox.Settlement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code refrain deadletters list}: one page of them, and from where to go on. */
@Command(
        name = "list",
        description =
                "List dead letters, the oldest first. One call looks at a bounded number of them: a page may be short or empty"
                        + " although there are more, and says from where to go on.")
final class DeadLettersListCommand implements Callable<Integer> {

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--topic", paramLabel = "NAME", description = "Only messages of this topic.")
    private @Nullable String topic;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            description = "Only those that died of this: ${COMPLETION-CANDIDATES}.")
    private Settlement.@Nullable Cause cause;

    @Mixin
    private final PageOptions page = new PageOptions();

    @Override
    public Integer call() {
        try {
            var search =
                    new DeadSearch(Optional.ofNullable(topic), Optional.ofNullable(cause), page.after(), page.limit());
            page.print(
                    store.withStore(opened -> opened.outboxBrowser().searchDeadLetters(search)),
                    MessageJson::of,
                    List.of("DEAD FOR", "CAUSE", "ATTEMPTS", "TOPIC", "ID", "REASON"),
                    DeadLettersListCommand::row);
        } catch (IllegalArgumentException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()));
        }
        return ExitCode.OK;
    }

    private static List<String> row(DeadMessage message) {
        return List.of(
                Shown.duration(Duration.between(message.since(), message.seen())),
                message.cause().name(),
                Integer.toString(message.attempts()),
                Shown.escape(message.topic()),
                message.id().toString(),
                Shown.escape(message.reason()));
    }
}
