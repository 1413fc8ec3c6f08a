package dev.refrain.cli;

import dev.refrain.store.jdbc.SchemaScript;
import java.util.Iterator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain schema}: prints the DDL of a store. */
@Command(
        name = "schema",
        description = "Print the DDL of the store for a database, in the order to apply it.",
        footer = {"", "Example:", "  refrain schema --dialect postgresql > refrain.sql"})
final class SchemaCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dialect",
            required = true,
            paramLabel = "NAME",
            description = "Database: ${COMPLETION-CANDIDATES}.",
            completionCandidates = KnownDialects.class)
    private String dialect;

    @Override
    public Integer call() {
        if (!SchemaScript.dialects().contains(dialect)) {
            throw CommandFailedException.usage("Unknown dialect '" + dialect + "'. Available: "
                    + String.join(", ", SchemaScript.dialects()) + ".");
        }
        spec.commandLine().getOut().print(SchemaScript.of(dialect).text());
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    /** Names of the supported databases, for the help text and for shell completion. */
    static final class KnownDialects implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SchemaScript.dialects().iterator();
        }
    }
}
