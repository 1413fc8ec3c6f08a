package dev.refrain.cli;

import dev.refrain.store.outbox.TopicSummary;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain outbox topics}: prints the backlog of each topic. */
@Command(
        name = "topics",
        description = {
            "Show the backlog of each topic: waiting, in flight, failing and dead messages, and the age of the "
                    + "oldest.",
            "Counts up to 10,000 per topic."
        },
        footer = {"", "Example:", "  refrain outbox topics --store jdbc:postgresql://db/shop"})
final class OutboxTopicsCommand implements Callable<Integer> {

    static final int COUNT_LIMIT = 10_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        var topics = store.withStore(opened -> opened.outboxBrowser().topics(COUNT_LIMIT));
        var out = spec.commandLine().getOut();
        if (json) {
            var answer = RecordJson.array();
            topics.forEach(topic -> answer.add(OutboxMessageJson.of(topic)));
            out.println(RecordJson.text(answer));
        } else if (topics.isEmpty()) {
            out.println(
                    "No waiting messages and no dead letters. If you expected some, check that --store (and --schema) is the"
                            + " database of the application: delivered messages are gone from it.");
        } else {
            out.println(TerminalFormat.table(
                    List.of("TOPIC", "WAITING", "IN FLIGHT", "FAILING", "DEAD", "OLDEST"),
                    topics.stream().map(OutboxTopicsCommand::row).toList()));
        }
        out.flush();
        return ExitCode.OK;
    }

    private static List<String> row(TopicSummary topic) {
        String prefix = topic.more() ? "≥ " : "";
        return List.of(
                TerminalFormat.escape(topic.topic()),
                prefix + topic.waiting(),
                prefix + topic.underWay(),
                prefix + topic.failing(),
                prefix + topic.dead(),
                topic.oldest().map(TerminalFormat::duration).orElse("-"));
    }
}
