package dev.refrain.cli;

import dev.refrain.store.outbox.DeadLetterDecision;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.DeadLetterView;
import dev.refrain.store.outbox.MessageSettlement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options and steps shared by the commands that decide on dead letters: select, confirm, apply in batches. */
final class DeadLetterDecisionMixin {

    private static final int BATCH_SIZE = 500;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--id", paramLabel = "ID", description = "Id of the message. Can be repeated.")
    private List<UUID> ids = new ArrayList<>();

    @Option(
            names = "--topic",
            paramLabel = "NAME",
            description = "All dead letters of this topic, instead of single ids.")
    private @Nullable String topic;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            description = "With --topic: only dead letters with this cause (${COMPLETION-CANDIDATES}).")
    private MessageSettlement.@Nullable Cause cause;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    static CommandFailedException notFound(UUID id) {
        return CommandFailedException.failed("No dead letter with id " + id + ".", null);
    }

    /**
     * Applies a decision to the selected dead letters.
     *
     * @param deed the past participle to report, for example {@code discarded}
     * @param question the confirmation prompt
     */
    void decide(DeadLetterDecision.Action action, String deed, String question) {
        String reason = audit.reason();
        if (ids.isEmpty() == (topic == null) || (topic == null && cause != null)) {
            throw CommandFailedException.usage(
                    "Specify the dead letters with --id, or with --topic and optionally --cause.");
        }
        int done = store.withStore(opened -> topic == null
                ? decideByIds(opened, action, question, reason)
                : decideByTopic(opened, topic, action, deed, question, reason));
        var out = spec.commandLine().getOut();
        out.println(
                json
                        ? RecordJson.object()
                                .put("done", deed)
                                .put("messages", done)
                                .toString()
                        : capitalised(deed) + " " + done + (done == 1 ? " message." : " messages."));
        out.flush();
    }

    private int decideByIds(OpenedStore opened, DeadLetterDecision.Action action, String question, String reason) {
        for (var id : ids) {
            var message = opened.outboxBrowser().findDeadLetter(id).orElseThrow(() -> notFound(id));
            audit.confirm("Message " + id + " of " + TerminalFormat.escape(message.topic()) + ": "
                    + TerminalFormat.escape(message.reason()) + " " + warning(Optional.of(message.cause())) + question);
        }
        return opened.outbox().resolveDeadLetters(new DeadLetterDecision(ids, action, audit.by(), reason));
    }

    private int decideByTopic(
            OpenedStore opened,
            String topicName,
            DeadLetterDecision.Action action,
            String deed,
            String question,
            String reason) {
        audit.confirm("All dead letters of " + TerminalFormat.escape(topicName) + ": "
                + warning(Optional.ofNullable(cause)) + question);
        var progress = new ProgressPrinter(spec.commandLine().getErr(), capitalised(deed));
        var search =
                new DeadLetterSearch(Optional.of(topicName), Optional.ofNullable(cause), Optional.empty(), BATCH_SIZE);
        int done = 0;
        Optional<Instant> startedAt = Optional.empty();
        Optional<String> next;
        do {
            var page = opened.outboxBrowser().searchDeadLetters(search);
            var first = startedAt.or(
                    () -> page.rows().stream().map(DeadLetterView::seen).findFirst());
            startedAt = first;
            // Messages that died again after this command started are left alone, so it cannot loop.
            var chosen = page.rows().stream()
                    .filter(message -> message.since().isBefore(first.orElseThrow()))
                    .map(DeadLetterView::id)
                    .toList();
            if (!chosen.isEmpty()) {
                done += opened.outbox().resolveDeadLetters(new DeadLetterDecision(chosen, action, audit.by(), reason));
                progress.report(done);
            }
            next = page.next().filter(cursor -> chosen.size() == page.rows().size());
            search = next.map(search::after).orElse(search);
        } while (next.isPresent());
        return done;
    }

    private static String warning(Optional<MessageSettlement.Cause> died) {
        return died.filter(c -> c != MessageSettlement.Cause.UNKNOWN).isPresent()
                ? ""
                : "It may already have been delivered. ";
    }

    private static String capitalised(String deed) {
        return Character.toUpperCase(deed.charAt(0)) + deed.substring(1);
    }
}
