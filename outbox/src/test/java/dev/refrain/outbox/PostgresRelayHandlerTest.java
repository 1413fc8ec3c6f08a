package dev.refrain.outbox;

class PostgresRelayHandlerTest extends RelayHandlerContract {

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.postgres();
    }
}
