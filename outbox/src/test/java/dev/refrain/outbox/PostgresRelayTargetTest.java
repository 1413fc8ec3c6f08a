package dev.refrain.outbox;

class PostgresRelayTargetTest extends RelayTargetContract {

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.postgres();
    }
}
