package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagingListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** What a store reports of staged messages on the threads that stage and commit them; what the database notifies comes on others. */
final class StagingReports implements AutoCloseable, StagingListener {

    private final Thread here = Thread.currentThread();
    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final OutboxStore.WakeupSubscription subscription;

    StagingReports(OutboxStore<?> outbox) {
        subscription = outbox.subscribeToCommits(this);
    }

    @Override
    public void committed(String topic) {
        report("committed " + topic);
    }

    @Override
    public void staged(String topic) {
        report("staged " + topic);
    }

    private void report(String what) {
        if (Thread.currentThread() == here) {
            reports.add(what);
        }
    }

    void assertNone() {
        assertThat(reports).isEmpty();
    }

    void assertReported(String what) {
        assertThat(reports).containsExactly(what);
    }

    @Override
    public void close() {
        subscription.close();
    }
}
