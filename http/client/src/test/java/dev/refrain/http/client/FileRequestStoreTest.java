package dev.refrain.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Pending requests in files, across processes and crashes. */
class FileRequestStoreTest extends PendingRequestStoreContract {

    @TempDir
    Path temporary;

    @Override
    PendingRequestStore intents() throws IOException {
        return PendingRequestStore.inFolder(temporary.resolve("intents"));
    }

    private Path onlyFile() throws IOException {
        try (var files = Files.newDirectoryStream(temporary.resolve("intents"), "*.intent")) {
            return files.iterator().next();
        }
    }

    @Test
    void secondStoreFindsPendingRequests() throws IOException {
        intents().save(intent("a", 1)).orElseThrow().close();

        assertThat(intents().pending()).containsExactly(intent("a", 1));
    }

    @Test
    void storesWithDifferentPathsToOneFolderShareLocks() throws IOException {
        try (var hold = intents().save(intent("a", 1)).orElseThrow()) {
            var link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("intents"));

            assertThat(PendingRequestStore.inFolder(link).acquire("a")).isEmpty();
            assertThat(PendingRequestStore.inFolder(link).pending()).isEmpty();
        }
    }

    @Test
    void fileBodyIsStoredAsPath() throws IOException {
        var request = ResendableRequest.post(
                URI.create("http://localhost/"), ResendableBody.ofFile(temporary.resolve("body")));
        var intent = new PendingRequest("a", request, ManualClientClock.START, ManualClientClock.START.plusSeconds(1));
        intents().save(intent).orElseThrow().close();

        assertThat(intents().pending()).containsExactly(intent);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.99})
    void incompleteFileIsIgnored(double part) throws IOException {
        intents().save(intent("a", 1)).orElseThrow().close();
        var content = Files.readString(onlyFile());
        Files.writeString(onlyFile(), content.substring(0, (int) (content.length() * part)));

        assertThat(intents().pending()).isEmpty();
        assertThat(intents().acquire("a")).isEmpty();
        try (var hold = intents().save(intent("a", 7)).orElseThrow()) {
            assertThat(hold.request()).isEqualTo(intent("a", 7));
        }
        assertThat(intents().pending()).containsExactly(intent("a", 7));
    }

    @Test
    void fileOfNewerVersionIsNeitherOverwrittenNorHidesOthers() throws IOException {
        intents().save(intent("a", 1)).orElseThrow().close();
        var newer = Files.readString(onlyFile()).replace("\"version\":1", "\"version\":2");
        Files.writeString(onlyFile(), newer);
        var file = onlyFile();
        intents().save(intent("b", 1)).orElseThrow().close();

        assertThat(intents().pending()).containsExactly(intent("b", 1));
        assertThatThrownBy(() -> intents().save(intent("a", 2))).hasMessageContaining("newer");
        assertThatThrownBy(() -> intents().acquire("a")).hasMessageContaining("newer");
        assertThat(file).hasContent(newer);
    }

    @Test
    void filesAreReadableByOwnerOnly() throws IOException {
        Files.createDirectories(temporary.resolve("intents"));
        intents().save(intent("a", 1)).orElseThrow().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(onlyFile())))
                .isEqualTo("rw-------");

        PendingRequestStore.inFolder(temporary.resolve("made"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.resolve("made"))))
                .isEqualTo("rwx------");
    }

    @Test
    void completedRequestLeavesNoFile() throws IOException {
        try (var hold = intents().save(intent("a", 1)).orElseThrow()) {
            hold.complete();
        }

        try (var files = Files.list(temporary.resolve("intents"))) {
            assertThat(files).extracting(Path::getFileName).containsExactly(Path.of("folder.lock"));
        }
    }
}
