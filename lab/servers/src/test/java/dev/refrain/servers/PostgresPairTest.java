package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PostgresPairTest {

    @Test
    void committedRowsSurviveTheFailoverToTheStandby() throws SQLException {
        try (var pair = PostgresPair.start(Map.of("max_connections", "20"))) {
            String url = pair.freshDatabase();
            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                statement.execute("CREATE TABLE effect AS SELECT generate_series(1, 1000) AS id");

                pair.failOver();
            }

            try (var connection = DriverManager.getConnection(url);
                    var statement = connection.createStatement()) {
                statement.execute("INSERT INTO effect VALUES (0)");
                try (var count = statement.executeQuery("SELECT count(*) FROM effect")) {
                    count.next();
                    assertThat(count.getInt(1)).isEqualTo(1001);
                }
            }
        }
    }
}
