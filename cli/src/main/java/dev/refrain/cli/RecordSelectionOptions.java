package dev.refrain.cli;

import dev.refrain.api.ClientKey;
import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options that select one record: by scope, namespace and key, or by id. */
final class RecordSelectionOptions {

    @Option(
            names = "--scope",
            paramLabel = "NAME",
            defaultValue = "",
            description = "Scope of the key, for example a tenant (default: the empty scope).")
    private String scope;

    @Option(
            names = "--namespace",
            paramLabel = "NAME",
            description = "Namespace of the key: the name of an operation, flow or saga; http for HTTP routes.")
    private @Nullable String namespace;

    @Option(names = "--key", paramLabel = "KEY", description = "The client's key.")
    private @Nullable String key;

    @Option(
            names = "--id",
            paramLabel = "ID",
            description = "Id of the record, instead of --scope, --namespace and --key.")
    private @Nullable UUID id;

    RecordView find(OpenedStore opened) {
        var browsing = opened.recordBrowser();
        if (id != null) {
            // Records in ATTENTION are listed by themselves; finding any other one by its id needs an index that not
            // every store has.
            var chosen = new RecordId(id);
            return opened.findInAttention(chosen)
                    .flatMap(browsing::find)
                    .or(() -> browsing.find(chosen))
                    .orElseThrow(() -> CommandFailedException.failed("No record with id " + chosen + ".", null));
        }
        if (namespace == null || key == null) {
            throw CommandFailedException.usage(
                    "Specify the record with --namespace and --key (and --scope), or with --id.");
        }
        var identity = identity(namespace, key);
        return browsing.find(identity).orElseThrow(() -> CommandFailedException.failed(notFound(identity), null));
    }

    private static String notFound(ScopedKey identity) {
        return "No key '" + TerminalFormat.escape(identity.key()) + "' in namespace "
                + TerminalFormat.escape(identity.namespace()) + " of "
                + (identity.scope().isEmpty() ? "the empty scope" : "scope " + TerminalFormat.escape(identity.scope()))
                + ".";
    }

    /**
     * Finds the selected record.
     *
     * @throws CommandFailedException if it does not exist or is not in ATTENTION
     */
    RecordView findInAttention(OpenedStore opened, String deed) {
        var record = find(opened);
        if (record.state() != RecordState.ATTENTION) {
            throw CommandFailedException.failed(
                    "Record " + record.claim().id() + " is " + record.state() + "; only records in ATTENTION can be "
                            + deed + ".",
                    null);
        }
        return record;
    }

    private ScopedKey identity(String space, String keyText) {
        try {
            return ClientKey.scope(scope).key(keyText).inNamespace(space);
        } catch (InvalidIdempotencyKeyException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
    }
}
