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

/** {@code refrain outbox topics}: the backlog at a glance. */
@Command(
        name = "topics",
        description =
                "What waits in each topic, how much of it fails, how old the oldest is. Counts no further than 10,000.")
final class OutboxTopicsCommand implements Callable<Integer> {

    static final int COUNTED = 10_000;

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Override
    public Integer call() {
        var topics = store.withStore(opened -> opened.outboxBrowser().topics(COUNTED));
        var out = spec.commandLine().getOut();
        if (json) {
            var answer = RecordJson.array();
            topics.forEach(topic -> answer.add(OutboxMessageJson.of(topic)));
            out.println(answer);
        } else if (topics.isEmpty()) {
            out.println("Nothing waits, and nothing is dead.");
        } else {
            out.println(TerminalFormat.table(
                    List.of("TOPIC", "WAITING", "UNDER WAY", "FAILING", "DEAD", "OLDEST"),
                    topics.stream().map(OutboxTopicsCommand::row).toList()));
        }
        out.flush();
        return ExitCode.OK;
    }

    private static List<String> row(TopicSummary topic) {
        String least = topic.more() ? "≥ " : "";
        return List.of(
                TerminalFormat.escape(topic.topic()),
                least + topic.waiting(),
                least + topic.underWay(),
                least + topic.failing(),
                least + topic.dead(),
                topic.oldest().map(TerminalFormat::duration).orElse("-"));
    }
}
