package dev.refrain.flow;

class PostgresFlowTest extends FlowContract {

    @Override
    Database database() {
        return Database.postgres();
    }
}
