package dev.refrain.flow.saga;

import dev.refrain.flow.Database;

class PostgresSagaTest extends SagaContract {

    @Override
    Database database() {
        return Database.postgres();
    }
}
