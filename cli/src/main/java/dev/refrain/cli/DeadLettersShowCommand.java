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

/** {@code refrain deadletters show}: one of them. */
@Command(
        name = "show",
        description = "Show one dead letter: why it is dead and under which key it was sent; what it says if --reveal.")
final class DeadLettersShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--id", paramLabel = "ID", required = true, description = "The message's id.")
    private UUID id;

    @Option(names = "--reveal", description = "Show what it says too; it is audited, so with --reason.")
    private boolean reveal;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Answer in JSON.")
    private boolean json;

    @Override
    public Integer call() {
        store.withStore(opened -> {
            var browsing = opened.outboxBrowser();
            var message = browsing.findDeadLetter(id).orElseThrow(() -> DeadLetterDecisionMixin.notFound(id));
            Optional<Payload> body = reveal ? revealed(browsing) : Optional.empty();
            var answer = OutboxMessageJson.of(message);
            // The other side knows it by this.
            answer.put("key", new RecordId(id).keyFor(message.topic()));
            var out = spec.commandLine().getOut();
            if (json) {
                body.ifPresent(b -> answer.set("body", RecordContents.body(b)));
                out.println(answer);
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
        audit.confirm("Show what message " + id + " says? It is audited.");
        return browsing.revealDeadLetter(id, audit.by(), reason).map(DeadLetter::payload);
    }
}
