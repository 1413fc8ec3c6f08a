package dev.refrain.flow.outbox;

class PostgresRelayTest extends RelayContract {

    @Override
    OutboxDatabase database() {
        return OutboxDatabase.postgres();
    }
}
