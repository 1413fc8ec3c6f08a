package dev.refrain.saga;

import dev.refrain.servers.FlowTestDatabase;

class PostgresSagaTest extends SagaContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
