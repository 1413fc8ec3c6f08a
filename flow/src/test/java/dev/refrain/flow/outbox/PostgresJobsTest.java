package dev.refrain.flow.outbox;

class PostgresJobsTest extends JobsContract {

    @Override
    OutboxDatabase database() {
        return OutboxDatabase.postgres();
    }
}
