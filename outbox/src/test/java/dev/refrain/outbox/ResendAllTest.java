package dev.refrain.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.OutboxStore;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whoever sends all dead letters again while the other side still refuses them comes to an end. */
class ResendAllTest extends RelayFixture {

    /** More than a page of them. */
    private static final int LETTERS = 600;

    @TempDir
    Path directory;

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.sqlite(directory);
    }

    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void eachIsSentOnceThoughItDiesAgainAtOnce() throws Exception {
        stage("t", IntStream.range(0, LETTERS).mapToObj(Integer::toString).toArray(String[]::new));
        refuseAll();
        assertThat(Outbox.on(refrain, refusing()).resendAll("t", Cause.REFUSED, "ann", "mended, so they say"))
                .isEqualTo(LETTERS);
        assertThat(dead()).hasSize(LETTERS);
        assertThat(store.listAuditTrail(2 * LETTERS)).hasSize(LETTERS);
    }

    /** The outbox, with a relay beside it that is quick and gets nothing but refusals. */
    @SuppressWarnings("unchecked")
    private OutboxStore<Connection> refusing() {
        return (OutboxStore<Connection>) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {OutboxStore.class}, (proxy, method, arguments) -> {
                    var answer = method.invoke(rows, arguments);
                    if (method.getName().equals("resolveDeadLetters")) {
                        refuseAll();
                    }
                    return answer;
                });
    }

    private void refuseAll() {
        List<LeasedMessage> taken;
        do {
            taken = rows.leaseMessages(new MessageLeaseRequest("t", LEASE, 500, 500, Long.MAX_VALUE));
            rows.settle(taken.stream()
                    .map(t -> new MessageSettlement.Dead(t.row(), Cause.REFUSED, 0, "410"))
                    .toList());
        } while (!taken.isEmpty());
    }
}
