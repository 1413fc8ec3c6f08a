package dev.refrain.cli;

import dev.refrain.key.Identity;
import dev.refrain.key.InvalidKeyException;
import dev.refrain.key.RecordId;
import dev.refrain.store.Browsing;
import dev.refrain.store.RecordView;
import dev.refrain.store.State;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which record is meant: by its names, or by its id. */
final class RecordOptions {

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

    RecordView find(Browsing browsing) {
        if (id != null) {
            return browsing.find(new RecordId(id))
                    .orElseThrow(() -> CommandFailure.failed("There is no record " + id + ".", null));
        }
        if (operation == null || key == null) {
            throw CommandFailure.usage("Say which record is meant: --operation and --key (and --scope), or --id.");
        }
        var identity = identity(operation, key);
        return browsing.find(identity).orElseThrow(() -> CommandFailure.failed(unknown(identity), null));
    }

    private static String unknown(Identity identity) {
        return "There is no key '" + Shown.escape(identity.key()) + "' of " + Shown.escape(identity.namespace()) + " in "
                + (identity.scope().isEmpty() ? "the scope without a name" : "scope " + Shown.escape(identity.scope()))
                + ".";
    }

    /** The record, if it waits for a decision. */
    RecordView findInAttention(Browsing browsing, String deed) {
        var record = find(browsing);
        if (record.state() != State.ATTENTION) {
            throw CommandFailure.failed(
                    "Record " + record.claim().id() + " is " + record.state()
                            + ", and only what is in ATTENTION can be " + deed + ".",
                    null);
        }
        return record;
    }

    private Identity identity(String namespace, String wanted) {
        try {
            return new Identity(scope, namespace, wanted);
        } catch (InvalidKeyException e) {
            throw CommandFailure.usage(String.valueOf(e.getMessage()));
        }
    }
}
