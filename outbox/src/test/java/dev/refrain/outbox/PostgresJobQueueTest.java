package dev.refrain.outbox;

class PostgresJobQueueTest extends JobQueueContract {

    @Override
    OutboxTestDatabase database() {
        return OutboxTestDatabase.postgres();
    }
}
