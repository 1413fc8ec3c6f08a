package dev.refrain.flow;

import dev.refrain.servers.FlowTestDatabase;

class PostgresFlowTest extends FlowContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
