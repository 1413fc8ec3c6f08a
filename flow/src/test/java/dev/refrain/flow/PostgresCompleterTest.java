package dev.refrain.flow;

class PostgresCompleterTest extends CompleterContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.postgres();
    }
}
