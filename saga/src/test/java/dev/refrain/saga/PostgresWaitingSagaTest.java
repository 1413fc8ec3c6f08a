package dev.refrain.saga;

import dev.refrain.servers.FlowTestDatabase;

class PostgresWaitingSagaTest extends WaitingSagaContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
