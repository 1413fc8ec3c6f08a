package dev.refrain.store.jdbc.internal.wakeup;

import dev.refrain.api.KeyHash;
import dev.refrain.store.jdbc.internal.connection.DedicatedConnection;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** Registrations in a table, which statements that complete a record read. */
final class WaiterTable implements WaiterRegistrations {

    private record Row(KeyHash lookup, UUID listener) {}

    private static final ParameterizedScript<Row> UNREGISTER = ParameterizedScript.<Row>script("waiter_unregister")
            .uuid("lookup", row -> row.lookup().asUuid())
            .uuid("listener", Row::listener);

    private static final ParameterizedScript<Row> REGISTER = ParameterizedScript.<Row>script("waiter_register")
            .include(UNREGISTER, row -> row)
            .duration("life", row -> LIFE);

    private final DedicatedConnection dedicated;
    private final UUID listener = UUID.randomUUID();

    WaiterTable(DedicatedConnection dedicated) {
        this.dedicated = dedicated;
    }

    @Override
    public void register(Collection<KeyHash> lookups) {
        write("Registering to wait for " + lookups.size() + " records", REGISTER, lookups);
    }

    @Override
    public void unregister(Collection<KeyHash> lookups) {
        write("Unregistering from " + lookups.size() + " records", UNREGISTER, lookups);
    }

    private void write(String doing, ParameterizedScript<Row> script, Collection<KeyHash> lookups) {
        if (!lookups.isEmpty()) {
            List<Row> rows =
                    lookups.stream().map(lookup -> new Row(lookup, listener)).toList();
            dedicated.write(doing, session -> session.runBatch(script, rows, row -> true));
        }
    }
}
