package dev.refrain.flow.outbox;

class PostgresSendingTest extends SendingContract {

    @Override
    OutboxDatabase database() {
        return OutboxDatabase.postgres();
    }
}
