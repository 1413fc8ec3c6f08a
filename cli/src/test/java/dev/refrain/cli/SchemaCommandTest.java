package dev.refrain.cli;

import static dev.refrain.cli.Ran.refrain;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Runs on a dialect of its own, {@code paper}, from the test resources. */
class SchemaCommandTest {

    @Test
    void migrationsArePrintedInTheOrderOfTheirNumbers() {
        Ran ran = refrain("schema", "--dialect", "paper");
        assertThat(ran.exitCode()).isZero();
        assertThat(ran.err()).isEmpty();
        assertThat(ran.out()).isEqualTo("""
                        -- V1__first.sql
                        CREATE TABLE first (id int);

                        -- V2__second.sql
                        CREATE TABLE second (id int);

                        -- V10__tenth.sql
                        CREATE TABLE tenth (id int);
                        """);
    }

    @Test
    void anUnknownDialectIsToldWithTheKnownOnes() {
        Ran ran = refrain("schema", "--dialect", "clay");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .startsWith("refrain: There is no dialect 'clay': the dialects are ")
                .contains("paper")
                .doesNotContain("empty-handed")
                .hasLineCount(1);
    }

    @Test
    void theDialectMustBeNamed() {
        Ran ran = refrain("schema");
        assertThat(ran.exitCode()).isEqualTo(2);
        assertThat(ran.err()).contains("--dialect").hasLineCount(1);
    }

    @Test
    void helpNamesTheDialects() {
        assertThat(refrain("schema", "--help").out()).contains("paper");
    }
}
