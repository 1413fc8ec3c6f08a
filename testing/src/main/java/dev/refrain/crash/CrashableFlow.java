package dev.refrain.crash;

import dev.refrain.Refrain;
import dev.refrain.api.OperationResult;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.List;

/**
 * A flow, as an application that can be killed.
 *
 * @param refrain on a store whose DataSource is the {@link CrashInjector}'s; closed with this, and before the store
 * @param lease how long a crash delays a retry
 * @param recovery who goes on after a crash
 */
public record CrashableFlow<R, C>(
        Refrain refrain,
        FlowRunner<C> flows,
        Flow<R, ?, C> flow,
        FlowRequest<R> asked,
        Duration lease,
        Recovery recovery,
        AutoCloseable store)
        implements CrashableApplication {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final CompleterSettings COMPLETION = new CompleterSettings(SOON, SOON, SOON, 10, 4);

    /** Who brings to an end what a crash left. */
    public enum Recovery {
        /** The client, which retries until it is answered. */
        RETRY,
        /** Nobody but the completer: the client is gone. What was never claimed is not done at all. */
        COMPLETER
    }

    /** As a client would: until it is answered. */
    @Override
    public void request() throws Exception {
        while (!answered()) {
            Thread.sleep(SOON);
        }
    }

    @Override
    public void recover() throws Exception {
        switch (recovery) {
            case RETRY -> request();
            case COMPLETER -> {
                try (var completer = flows.startCompleter(COMPLETION, List.of(flow))) {
                    while (!settled()) {
                        Thread.sleep(SOON);
                    }
                }
            }
        }
    }

    /** A client whose request failed tries again: what failed was released. */
    private boolean answered() throws InterruptedException {
        try {
            return !(flows.runForResult(flow, asked, lease) instanceof OperationResult.InProgress);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception failed) {
            InstanceKilledError.throwIfBehind(failed);
            return false;
        }
    }

    private boolean settled() {
        return refrain.admin()
                .find(new ScopedKey(asked.scope(), flow.namespace(), asked.key()))
                .filter(record -> record.state() != RecordState.COMPLETED && record.state() != RecordState.ATTENTION)
                .isEmpty();
    }

    @Override
    public void close() throws Exception {
        refrain.close();
        store.close();
    }
}
