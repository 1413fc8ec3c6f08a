package dev.refrain.cli;

import dev.refrain.store.jdbc.SchemaScript;
import java.util.Iterator;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code refrain schema}: the DDL of a store, for those who apply it themselves. */
@Command(name = "schema", description = "Print the DDL of a database's store, in the order in which it is applied.")
final class SchemaCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Option(
            names = "--dialect",
            required = true,
            paramLabel = "NAME",
            description = "The database: ${COMPLETION-CANDIDATES}.",
            completionCandidates = KnownDialects.class)
    private String dialect;

    @Override
    public Integer call() {
        if (!SchemaScript.dialects().contains(dialect)) {
            throw CommandFailedException.usage("There is no dialect '" + dialect + "': the dialects are "
                    + String.join(", ", SchemaScript.dialects()) + ".");
        }
        spec.commandLine().getOut().print(SchemaScript.of(dialect).text());
        spec.commandLine().getOut().flush();
        return ExitCode.OK;
    }

    /** For the help text and for completion in shells. */
    static final class KnownDialects implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return SchemaScript.dialects().iterator();
        }
    }
}
