package dev.refrain.examples.spring;

import java.nio.file.Path;

class PaymentsOnSqliteTest extends PaymentsTestSuite {

    @Override
    String database(Path folder) {
        return "jdbc:sqlite:" + folder.resolve("payments.db");
    }
}
