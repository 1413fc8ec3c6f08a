package dev.refrain.saga;

import dev.refrain.flow.FlowTestDatabase;

class PostgresSagaTest extends SagaContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
