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

/** Which record is meant: by its names, or by its id. */
final class RecordSelectionOptions {

    @Option(
            names = "--scope",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Who asked, such as a tenant; without it the scope of those who have only one.")
    private String scope;

    @Option(names = "--operation", paramLabel = "NAME", description = "The operation (namespace) of the key.")
    private @Nullable String operation;

    @Option(names = "--key", paramLabel = "KEY", description = "The client's key.")
    private @Nullable String key;

    @Option(names = "--id", paramLabel = "ID", description = "The record's id, instead of its names.")
    private @Nullable UUID id;

    RecordView find(RecordBrowser browsing) {
        if (id != null) {
            return browsing.find(new RecordId(id))
                    .orElseThrow(() -> CommandFailedException.failed("There is no record " + id + ".", null));
        }
        if (operation == null || key == null) {
            throw CommandFailedException.usage(
                    "Say which record is meant: --operation and --key (and --scope), or --id.");
        }
        var identity = identity(operation, key);
        return browsing.find(identity).orElseThrow(() -> CommandFailedException.failed(unknown(identity), null));
    }

    private static String unknown(ScopedKey identity) {
        return "There is no key '" + TerminalFormat.escape(identity.key()) + "' of "
                + TerminalFormat.escape(identity.namespace()) + " in "
                + (identity.scope().isEmpty()
                        ? "the scope without a name"
                        : "scope " + TerminalFormat.escape(identity.scope()))
                + ".";
    }

    /** The record, if it waits for a decision. */
    RecordView findInAttention(RecordBrowser browsing, String deed) {
        var record = find(browsing);
        if (record.state() != RecordState.ATTENTION) {
            throw CommandFailedException.failed(
                    "Record " + record.claim().id() + " is " + record.state()
                            + ", and only what is in ATTENTION can be " + deed + ".",
                    null);
        }
        return record;
    }

    private ScopedKey identity(String namespace, String wanted) {
        try {
            return new ScopedKey(scope, namespace, wanted);
        } catch (InvalidIdempotencyKeyException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
    }
}
