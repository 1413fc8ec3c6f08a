package dev.refrain.cli;

import dev.refrain.store.jdbc.JdbcStore;
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

/** A person's decision on dead letters: named, or all of a topic; confirmed, then carried out in steps. */
final class DeadLetterDecisionMixin {

    private static final int STEP = 500;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--id", paramLabel = "ID", description = "The message's id; may be given more than once.")
    private List<UUID> ids = new ArrayList<>();

    @Option(names = "--topic", paramLabel = "NAME", description = "All of this topic, instead of those that are named.")
    private @Nullable String topic;

    @Option(
            names = "--cause",
            paramLabel = "CAUSE",
            description = "With --topic, only those that died of this: ${COMPLETION-CANDIDATES}.")
    private MessageSettlement.@Nullable Cause cause;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    static CommandFailedException notFound(UUID id) {
        return CommandFailedException.failed("There is no dead letter " + id + ".", null);
    }

    /**
     * @param deed as a participle: what is done to each
     * @param question what is confirmed
     */
    void decide(DeadLetterDecision.Verdict verdict, String deed, String question) {
        String reason = audit.reason();
        if (ids.isEmpty() == (topic == null) || (topic == null && cause != null)) {
            throw CommandFailedException.usage("Say which are meant: --id, or --topic and perhaps --cause.");
        }
        int done = store.withStore(opened -> topic == null
                ? named(opened, verdict, question, reason)
                : all(opened, topic, verdict, deed, question, reason));
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

    private int named(JdbcStore opened, DeadLetterDecision.Verdict verdict, String question, String reason) {
        for (var id : ids) {
            var message = opened.outboxBrowser().findDeadLetter(id).orElseThrow(() -> notFound(id));
            audit.confirm("Message " + id + " of " + TerminalFormat.escape(message.topic()) + ": "
                    + TerminalFormat.escape(message.reason()) + " " + warning(Optional.of(message.cause())) + question);
        }
        return opened.outbox().resolveDeadLetters(new DeadLetterDecision(ids, verdict, audit.by(), reason));
    }

    private int all(
            JdbcStore opened,
            String of,
            DeadLetterDecision.Verdict verdict,
            String deed,
            String question,
            String reason) {
        audit.confirm("All dead letters of " + TerminalFormat.escape(of) + ": " + warning(Optional.ofNullable(cause))
                + question);
        var progress = new ProgressPrinter(spec.commandLine().getErr(), capitalised(deed));
        var search = new DeadLetterSearch(Optional.of(of), Optional.ofNullable(cause), Optional.empty(), STEP);
        int done = 0;
        Optional<Instant> begun = Optional.empty();
        Optional<String> next;
        do {
            var page = opened.outboxBrowser().searchDeadLetters(search);
            var first = begun.or(
                    () -> page.rows().stream().map(DeadLetterView::seen).findFirst());
            begun = first;
            // One that died again since then is not sent in circles.
            var chosen = page.rows().stream()
                    .filter(message -> message.since().isBefore(first.orElseThrow()))
                    .map(DeadLetterView::id)
                    .toList();
            if (!chosen.isEmpty()) {
                done += opened.outbox().resolveDeadLetters(new DeadLetterDecision(chosen, verdict, audit.by(), reason));
                progress.report(done);
            }
            next = page.next().filter(cursor -> chosen.size() == page.rows().size());
            search = next.map(search::after).orElse(search);
        } while (next.isPresent());
        return done;
    }

    private static String warning(Optional<MessageSettlement.Cause> died) {
        return died.filter(c -> c != MessageSettlement.Cause.UNKNOWN).isPresent() ? "" : "It may have arrived. ";
    }

    private static String capitalised(String deed) {
        return Character.toUpperCase(deed.charAt(0)) + deed.substring(1);
    }
}
