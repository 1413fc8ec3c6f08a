package dev.refrain.flow;

class PostgresFlowTest extends FlowContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
