package dev.refrain.store.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.servers.MariadbServer;
import dev.refrain.store.jdbc.internal.DialectRegistry;
import dev.refrain.store.jdbc.internal.sql.SqlScriptLibrary;
import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

@EnabledIf(value = "dev.refrain.servers.MariadbServer#isAvailable", disabledReason = "no MariaDB for this platform")
class MysqlTemporaryTableTest {

    /** MariaDB 11.4.5 ended by a segmentation fault when it dropped the ones that held whole payloads. */
    @Test
    void searchForPlainPayloadsMakesNoTemporaryTableOnDisk() throws SQLException {
        var source = MariadbServer.dataSource(MariadbServer.shared().freshDatabase());
        JdbcStore.on(source).close();
        String search = new SqlScriptLibrary(DialectRegistry.named("mysql"), "")
                .named("payloads_not_beginning_with")
                .statements()
                .getFirst()
                .sql();

        try (var connection = source.getConnection()) {
            int before = temporaryTablesOnDisk(connection);
            try (var statement = connection.prepareStatement(search)) {
                statement.setBytes(1, new byte[] {1});
                statement.executeQuery().close();
            }
            assertThat(temporaryTablesOnDisk(connection)).isEqualTo(before);
        }
    }

    private static int temporaryTablesOnDisk(Connection connection) throws SQLException {
        try (var statement = connection.createStatement();
                var row = statement.executeQuery("SHOW SESSION STATUS LIKE 'Created_tmp_disk_tables'")) {
            row.next();
            return row.getInt(2);
        }
    }
}
