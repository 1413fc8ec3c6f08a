package dev.refrain.flow;

class PostgresCompleterTest extends CompleterContract {

    @Override
    Database database() {
        return Database.postgres();
    }
}
