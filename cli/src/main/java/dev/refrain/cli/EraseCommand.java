package dev.refrain.cli;

import dev.refrain.store.ErasureRequest;
import dev.refrain.store.ErasureResult;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain erase}: erases what is stored about a person or a scope. */
@Command(
        name = "erase",
        description = {
            "Erase what is stored about a person or a whole scope: requests, responses, names, delivered messages.",
            "Records stay as bare rows until they expire, so that an erased payment is not paid again. What is still running, waiting "
                    + "or undecided is left and counted: settle it, then erase again."
        },
        footer = {
            "",
            "Examples:",
            "  refrain erase --store jdbc:postgresql://db/shop --user me --scope acme --subject customer-7 \\",
            "      --reason 'asked for it, ticket 7'",
            "  refrain erase --store jdbc:sqlite:keys.db --scope acme --reason 'contract ended'",
            "",
            "What remains: docs/erasure.md"
        })
final class EraseCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Mixin
    private final StoreOptions store = new StoreOptions();

    @Option(names = "--scope", required = true, paramLabel = "SCOPE", description = "Scope of the keys.")
    private String scope;

    @Option(
            names = "--subject",
            paramLabel = "PERSON",
            description = "Person that operations named as their subject (default: everything of the scope).")
    private @Nullable String subject;

    @Mixin
    private final AuditOptions audit = new AuditOptions();

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Override
    public Integer call() {
        String reason = audit.reason();
        var target = subject == null ? new ErasureRequest.OfScope(scope) : new ErasureRequest.OfSubject(scope, subject);
        var result = store.withStore(opened -> {
            audit.confirm(
                    "Erase " + (subject == null ? "everything" : "what is about " + TerminalFormat.escape(subject))
                            + " in scope " + TerminalFormat.escape(scope) + "? This cannot be undone.");
            return opened.erase(target, audit.by(), reason);
        });
        var out = spec.commandLine().getOut();
        out.println(json ? RecordJson.text(RecordJson.of(result)) : describe(result));
        out.flush();
        return ExitCode.OK;
    }

    private static String describe(ErasureResult result) {
        String done =
                "Erased " + result.erased() + " records, " + result.messages().erased() + " messages and "
                        + result.ledgerEntries().erased() + " ledger entries.";
        return result.allLeftInUse() == 0
                ? done
                : done + " Left in use: " + result.leftInUse()
                        + " records (running, in ATTENTION or between two phases), "
                        + result.messages().leftInUse() + " messages (waiting, or dead letters) and "
                        + result.ledgerEntries().leftInUse()
                        + " ledger entries (not yet agreed). Settle them, then erase again.";
    }
}
