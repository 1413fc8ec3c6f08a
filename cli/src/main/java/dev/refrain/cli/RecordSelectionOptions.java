package dev.refrain.cli;

import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select one record: by scope, operation and key, or by id. */
final class RecordSelectionOptions {

    @Option(
            names = "--scope",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Scope of the key, for example a tenant (default: the empty scope).")
    private String scope;

    @Option(names = "--operation", paramLabel = "NAME", description = "Operation (namespace) of the key.")
    private @Nullable String operation;

    @Option(names = "--key", paramLabel = "KEY", description = "The client's key.")
    private @Nullable String key;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Id of the record, instead of --scope, --operation and --key.")
    private @Nullable UUID id;

    RecordView find(RecordBrowser browsing) {
        if (id != null) {
            return browsing.find(new RecordId(id))
                    .orElseThrow(() -> CommandFailedException.failed("No record with id " + id + ".", null));
        }
        if (operation == null || key == null) {
            throw CommandFailedException.usage(
                    "Specify the record with --operation and --key (and --scope), or with --id.");
        }
        var identity = identity(operation, key);
        return browsing.find(identity).orElseThrow(() -> CommandFailedException.failed(notFound(identity), null));
    }

    private static String notFound(ScopedKey identity) {
        return "No key '" + TerminalFormat.escape(identity.key()) + "' of operation "
                + TerminalFormat.escape(identity.namespace()) + " in "
                + (identity.scope().isEmpty() ? "the empty scope" : "scope " + TerminalFormat.escape(identity.scope()))
                + ".";
    }

    /**
     * Finds the selected record.
     *
     * @throws CommandFailedException if it does not exist or is not in ATTENTION
     */
    RecordView findInAttention(RecordBrowser browsing, String deed) {
        var record = find(browsing);
        if (record.state() != RecordState.ATTENTION) {
            throw CommandFailedException.failed(
                    "Record " + record.claim().id() + " is " + record.state() + "; only records in ATTENTION can be "
                            + deed + ".",
                    null);
        }
        return record;
    }

    private ScopedKey identity(String namespace, String keyText) {
        try {
            return new ScopedKey(scope, namespace, keyText);
        } catch (InvalidIdempotencyKeyException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
    }
}
