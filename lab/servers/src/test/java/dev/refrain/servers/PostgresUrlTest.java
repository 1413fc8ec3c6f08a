package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PostgresUrlTest {

    @Test
    void anotherDatabaseKeepsServerAndParameters() {
        PostgresUrl url = PostgresUrl.parse("jdbc:postgresql://db:5433/app?user=u&password=p");
        assertThat(url.withDatabase("fresh").text()).isEqualTo("jdbc:postgresql://db:5433/fresh?user=u&password=p");
        assertThat(url.withSchema("fresh").text())
                .isEqualTo("jdbc:postgresql://db:5433/app?user=u&password=p&currentSchema=fresh");
    }

    @Test
    void urlWithoutParametersWorksToo() {
        PostgresUrl url = PostgresUrl.parse("jdbc:postgresql://db/app");
        assertThat(url.text()).isEqualTo("jdbc:postgresql://db/app");
        assertThat(url.withSchema("s").text()).isEqualTo("jdbc:postgresql://db/app?currentSchema=s");
    }

    @Test
    void passwordIsNotShown() {
        assertThat(PostgresUrl.parse("jdbc:postgresql://db/app?password=secret").toString())
                .doesNotContain("secret");
        assertThatThrownBy(() -> PostgresUrl.parse("postgres://u:secret@db/app"))
                .isInstanceOf(TestServerException.class)
                .hasMessageContaining("jdbc:postgresql://host:port/database")
                .hasMessageNotContaining("secret");
    }
}
