package dev.refrain.cli;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.ClientKey;
import dev.refrain.api.InvalidIdempotencyKeyException;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.RecordState;
import dev.refrain.store.RecordView;
import java.util.Optional;
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
            return opened.findInAttention(item -> item.claim().id().equals(chosen))
                    .map(AttentionItem::identity)
                    .flatMap(browsing::find)
                    .or(() -> browsing.find(chosen))
                    .orElseThrow(() -> CommandFailedException.failed("No record with id " + chosen + ".", null));
        }
        var identity = identity();
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
    DecidableRecord findInAttention(OpenedStore opened, String deed) {
        if (!opened.isBrowsable()) {
            return findListed(opened, deed);
        }
        var record = find(opened);
        if (record.state() != RecordState.ATTENTION) {
            throw CommandFailedException.failed(
                    "Record " + record.claim().id() + " is " + record.state() + "; only records in ATTENTION can be "
                            + deed + ".",
                    null);
        }
        return new DecidableRecord(record.claim(), record.attention().map(RecordView.AttentionReason::reason));
    }

    /** Finds it among those that the store lists, where nothing else can be looked at. */
    private DecidableRecord findListed(OpenedStore opened, String deed) {
        var chosen = id == null ? null : new RecordId(id);
        var identity = chosen == null ? identity() : null;
        return opened.findInAttention(item ->
                        item.claim().id().equals(chosen) || item.identity().equals(identity))
                .map(item -> new DecidableRecord(item.claim(), Optional.of(item.reason())))
                .orElseThrow(() -> CommandFailedException.failed(
                        "No such record in ATTENTION; only records in ATTENTION can be " + deed + ".", null));
    }

    /** Record in ATTENTION, and why it is there. */
    record DecidableRecord(ClaimRef claim, Optional<String> reason) {}

    private ScopedKey identity() {
        if (namespace == null || key == null) {
            throw CommandFailedException.usage(
                    "Specify the record with --namespace and --key (and --scope), or with --id.");
        }
        return identity(namespace, key);
    }

    private ScopedKey identity(String space, String keyText) {
        try {
            return ClientKey.scope(scope).key(keyText).inNamespace(space);
        } catch (InvalidIdempotencyKeyException e) {
            throw CommandFailedException.usage(String.valueOf(e.getMessage()));
        }
    }
}
