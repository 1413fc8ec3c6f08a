package dev.refrain.cli;

import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.store.outbox.DeadLetter;
import dev.refrain.store.outbox.OutboxBrowser;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain deadletters show}: prints one dead letter. */
@Command(
        name = "show",
        description = {
            "Show one dead letter: its cause, its reason and the key it was sent under.",
            "Use --reveal to include its body."
        },
        footer = {
            "",
            "Examples:",
            "  refrain deadletters show --store … --id ID",
            "  refrain deadletters show --store … --id ID --reveal --reason 'ticket 7'"
        })
final class DeadLettersShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--id", paramLabel = "ID", required = true, description = "Id of the message.")
    private UUID id;

    @Option(names = "--reveal", description = "Include the body. Audited; requires --reason.")
    private boolean reveal;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        store.withStore(opened -> {
            var browsing = opened.outboxBrowser();
            var message = browsing.findDeadLetter(id).orElseThrow(() -> DeadLetterDecisionMixin.notFound(id));
            Optional<Payload> body = reveal ? revealed(browsing) : Optional.empty();
            var answer = OutboxMessageJson.of(message);
            // The receiver knows the message by this key.
            answer.put("key", new RecordId(id).keyFor(message.topic()));
            var out = spec.commandLine().getOut();
            if (json) {
                body.ifPresent(b -> answer.set("body", RecordContents.body(b)));
                out.println(RecordJson.text(answer));
            } else {
                answer.properties()
                        .forEach(p -> out.printf(
                                "%-10s %s%n",
                                p.getKey(), TerminalFormat.escape(p.getValue().asString())));
                body.ifPresent(b -> out.printf("%-10s %s%n", "body", RecordContents.described(b)));
            }
            out.flush();
            return true;
        });
        return ExitCode.OK;
    }

    private Optional<Payload> revealed(OutboxBrowser browsing) {
        String reason = audit.reason();
        audit.confirm("Reveal the body of message " + id + "? This is audited.");
        return browsing.revealDeadLetter(id, audit.by(), reason).map(DeadLetter::payload);
    }
}
