package dev.refrain.crash;

import dev.refrain.Refrain;
import dev.refrain.api.OperationResult;
import dev.refrain.flow.CompleterSettings;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.FlowRunner;
import dev.refrain.store.RecordState;
import java.time.Duration;
import java.util.List;

/**
 * Application that runs one flow, for a {@link CrashMatrix}.
 *
 * @param refrain a Refrain on a store whose DataSource was wrapped by the {@link CrashInjector}; closed with this, before the store
 * @param lease how long a retry has to wait after a crash
 * @param recovery who finishes the flow after a crash
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

    /** Way in which a flow is finished after a crash. */
    public enum Recovery {
        /** The client retries until it is answered. */
        RETRY,
        /** The client is gone, and a completer finishes the flow. One that was never claimed is not run at all. */
        COMPLETER
    }

    /** Runs the flow until the client is answered. */
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

    /** Runs the flow once, and returns whether the client was answered. */
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
                .find(asked.key().inNamespace(flow.namespace()))
                .filter(record -> record.state() != RecordState.COMPLETED && record.state() != RecordState.ATTENTION)
                .isEmpty();
    }

    @Override
    public void close() throws Exception {
        refrain.close();
        store.close();
    }
}
