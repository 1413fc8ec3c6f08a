package dev.refrain.flow;

import dev.refrain.servers.FlowTestDatabase;

class PostgresCompleterTest extends CompleterContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
