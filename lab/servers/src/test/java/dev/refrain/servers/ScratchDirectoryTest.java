package dev.refrain.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ScratchDirectoryTest {

    @Test
    void directoryOfAKilledJvmIsRemovedByTheNext(@TempDir Path base) throws Exception {
        Path abandoned = Files.createDirectories(base.resolve("run-1-0-left/data"));
        Files.writeString(abandoned.resolve("PG_VERSION"), "18");
        Files.createFile(base.resolve("run-1-0-left/owner.lock"));

        try (var scratch = ScratchDirectory.create(base)) {
            assertThat(scratch.path()).isDirectory();
            assertThat(base.resolve("run-1-0-left")).doesNotExist();
        }
    }

    @Test
    void directoryWithoutALockIsLeftToTheOwnerThatRemovesIt(@TempDir Path base) throws Exception {
        Path halfRemoved = Files.createDirectories(base.resolve("run-1-0-ending/data"));

        ScratchDirectory.create(base).close();

        assertThat(halfRemoved).isDirectory();
        assertThat(base.resolve("run-1-0-ending/owner.lock")).doesNotExist();
    }

    @Test
    void ourOwnAreLeftAloneAndGoWhenClosed(@TempDir Path base) {
        try (var first = ScratchDirectory.create(base);
                var second = ScratchDirectory.create(base)) {
            assertThat(first.path()).isDirectory();
            second.close();
            assertThat(second.path()).doesNotExist();
            assertThat(first.path()).isDirectory();
        }
    }
}
