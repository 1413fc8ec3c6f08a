package dev.refrain.examples.spring;

import dev.refrain.servers.PostgresServer;
import java.nio.file.Path;

class PaymentsOnPostgresTest extends PaymentsTestSuite {

    @Override
    String database(Path folder) {
        return PostgresServer.shared().freshDatabase();
    }
}
