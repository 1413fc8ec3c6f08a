package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.servers.PostgresServer;
import dev.refrain.store.jdbc.JdbcStore;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The report of a start that failed names the store and the setting that are at fault, and shows no secret. */
@ExtendWith(OutputCaptureExtension.class)
class NamedStoreStartReportTest {

    private static final String NOWHERE = "jdbc:postgresql://127.0.0.1:1/none?user=nobody";
    private static final String SECRET =
            Base64.getEncoder().encodeToString("a secret of thirty-two bytes :-)".getBytes(StandardCharsets.UTF_8));

    @RestController
    static class Imports {
        @PostMapping("/imports")
        @Idempotent(mode = Idempotent.Mode.LEASED_RESUME, store = "bulk")
        public String load() {
            return "";
        }
    }

    private static String report(CapturedOutput output, String bulkUrl, List<String> settings, Class<?>... parts) {
        var all = new ArrayList<Class<?>>(List.of(parts));
        all.add(TwoPostgresDatabases.class);
        all.add(Imports.class);
        assertThatThrownBy(() -> StartTestApplication.start(
                        PostgresServer.shared().freshDatabase(),
                        TwoPostgresDatabases.settings(bulkUrl, settings.toArray(String[]::new)),
                        all.toArray(Class<?>[]::new)))
                .isInstanceOf(Exception.class);
        assertThat(output.getAll())
                .contains("APPLICATION FAILED TO START", "Description:", "Action:")
                .doesNotContain("\tat ", SECRET.substring(0, 10))
                .doesNotContain(StartTestApplication.SERVER_NOISE);
        return output.getAll().substring(output.getAll().indexOf("APPLICATION FAILED TO START"));
    }

    private static String report(CapturedOutput output, String setting) {
        return report(
                output, PostgresServer.shared().freshDatabase(), List.of(TwoPostgresDatabases.ON_DATA_SOURCE, setting));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "refrain.stores.bulk.data-sorce=bulk | refrain.stores.bulk.data-sorce | refrain.stores.bulk has: bean, borrow-on-any-thread, connections, data-source",
                "refrain.stores.bulk.store.schema=x | refrain.stores.bulk.store.schema | refrain.stores.bulk has: bean",
                "refrain.encryption.key=2026-11=SECRET | refrain.encryption.key | refrain.encryption has: keys, read-plain",
                "refrain.encyption.keys=2026-11=SECRET | refrain.encyption.keys | encryption, http",
            })
    void unknownSettingIsNamedWithThoseThatExist(String setting, String unknown, String known, CapturedOutput output) {
        assertThat(report(output, setting.replace("SECRET", SECRET)))
                .contains("There is no setting " + unknown + " ", known);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "SECRET | entry 1 is not id=secret",
                "SECRET=2026-11 | entry 1 has a secret that is not base64",
                "2026-11=SECRET,2026-05=abcd | entry 2 has a secret of 3 bytes"
            })
    void unreadableKeysAreNamedAndNotShown(String keys, String found, CapturedOutput output) {
        assertThat(report(output, "refrain.encryption.keys=" + keys.replace("SECRET", SECRET)))
                .contains("refrain.encryption.keys: Cannot read the encryption keys", found);
    }

    @Test
    void databaseOfNamedStoreThatIsAwayIsNamed(CapturedOutput output) {
        assertThat(report(output, NOWHERE, List.of(TwoPostgresDatabases.ON_DATA_SOURCE)))
                .contains(
                        "The store bulk (refrain.stores.bulk, DataSource bean bulk) cannot be opened",
                        "the settings of the DataSource bean bulk")
                .doesNotContain("spring.datasource");
    }

    @Test
    void tablesThatNamedStoreLacksAreReportedForIt(CapturedOutput output) {
        assertThat(report(output, "refrain.stores.bulk.migrate=false"))
                .contains(
                        "The store bulk (refrain.stores.bulk, DataSource bean bulk) cannot be opened",
                        "tables are missing");
    }

    static class OwnStore {
        @Bean(defaultCandidate = false)
        JdbcStore archive(@Qualifier("bulk") DataSource bulk) {
            return JdbcStore.on(bulk);
        }
    }

    @Test
    void storeBeanThatCannotBeOpenedIsNamed(CapturedOutput output) {
        assertThat(report(output, NOWHERE, List.of("refrain.stores.bulk.bean=archive"), OwnStore.class))
                .contains("The store of the bean archive cannot be opened", "the DataSource that this bean uses");
    }
}
