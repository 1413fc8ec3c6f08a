package dev.refrain.gateway;

import dev.refrain.servers.KillableServer;
import dev.refrain.servers.PostgresServer;

class PostgresGatewayTest extends SharedDatabaseGatewayContract {

    @Override
    KillableServer sharedServer() {
        return PostgresServer.shared();
    }

    @Override
    KillableServer ownServer() {
        return PostgresServer.start();
    }
}
