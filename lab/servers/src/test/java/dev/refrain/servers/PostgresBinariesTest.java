package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PostgresBinariesTest {

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, postgres-linux-x86_64.txz",
        "Linux, aarch64, postgres-linux-arm_64.txz",
        "Mac OS X, x86_64, postgres-darwin-x86_64.txz",
        "Mac OS X, aarch64, postgres-darwin-arm_64.txz",
    })
    void eachPlatformHasItsArchive(String os, String arch, String archive) {
        assertThat(PostgresBinaries.archiveName(os, arch)).isEqualTo(archive);
    }

    @Test
    void programsAreUnpackedOnce() {
        PostgresBinaries first = PostgresBinaries.unpackedIn(ScratchDirectory.base());
        PostgresBinaries second = PostgresBinaries.unpackedIn(ScratchDirectory.base());
        assertThat(second).isEqualTo(first);
        assertThat(java.nio.file.Path.of(first.program("postgres"))).isExecutable();
    }
}
