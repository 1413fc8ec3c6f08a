package dev.refrain.servers;

import java.sql.DriverManager;
import java.util.concurrent.locks.LockSupport;

/** Starts a server, prints the id of its first process, and waits to be killed. */
final class ServerInAnotherJvm {

    private ServerInAnotherJvm() {}

    public static void main(String[] arguments) throws Exception {
        var server = PostgresServer.start();
        try (var connection = DriverManager.getConnection(server.jdbcUrl());
                var statement = connection.createStatement();
                var rows = statement.executeQuery("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)")) {
            rows.next();
            System.out.println(rows.getString(1));
        }
        while (true) {
            LockSupport.park();
        }
    }
}
