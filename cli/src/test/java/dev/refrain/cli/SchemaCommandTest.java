package dev.refrain.cli;

import static dev.refrain.cli.CommandResult.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SchemaCommandTest {

    @ParameterizedTest
    @ValueSource(strings = {"postgresql", "mysql", "sqlite"})
    void ddlOfADialectIsPrinted(String dialect) {
        CommandResult ran = refrain("schema", "--dialect", dialect);
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out())
                .containsPattern("CREATE TABLE (IF NOT EXISTS )?refrain_record")
                .containsPattern("CREATE TABLE (IF NOT EXISTS )?refrain_payload");
    }

    @Test
    void unknownDialectIsReported() {
        CommandResult ran = refrain("schema", "--dialect", "clay");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("refrain: Unknown dialect 'clay'. Available: postgresql, mysql, sqlite.")
                .hasLineCount(1);
    }

    @Test
    void dialectIsRequired() {
        CommandResult ran = refrain("schema");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("--dialect").hasLineCount(1);
    }

    @Test
    void helpListsTheDialects() {
        assertThat(refrain("schema", "--help").out()).contains("postgresql, mysql, sqlite");
    }
}
