package dev.refrain.crash;

import dev.refrain.Refrain;
import dev.refrain.flow.Completion;
import dev.refrain.flow.Flow;
import dev.refrain.flow.FlowRequest;
import dev.refrain.flow.Flows;
import dev.refrain.key.Identity;
import dev.refrain.run.RunResult;
import dev.refrain.store.State;
import java.time.Duration;
import java.util.List;

/**
 * A flow, as an application that can be killed.
 *
 * @param refrain on a store whose DataSource is the {@link Life}'s; closed with this, and before the store
 * @param lease how long a crash delays a retry
 * @param recovery who goes on after a crash
 */
public record FlowApplication<R, C>(
        Refrain refrain,
        Flows<C> flows,
        Flow<R, C> flow,
        FlowRequest<R> asked,
        Duration lease,
        Recovery recovery,
        AutoCloseable store)
        implements Application {

    private static final Duration SOON = Duration.ofMillis(20);
    private static final Completion COMPLETION = new Completion(SOON, SOON, SOON, 10, 4);

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
            return !(flows.run(flow, asked, lease) instanceof RunResult.StillRunning);
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception failed) {
            KilledError.throwIfBehind(failed);
            return false;
        }
    }

    private boolean settled() {
        return refrain.admin()
                .find(new Identity(asked.scope(), flow.namespace(), asked.key()))
                .filter(record -> record.state() != State.COMPLETED && record.state() != State.ATTENTION)
                .isEmpty();
    }

    @Override
    public void close() throws Exception {
        refrain.close();
        store.close();
    }
}
