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

/** What outlives a process, and what is in the way of nobody. */
class FileIntentsTest extends IntentsContract {

    @TempDir
    Path temporary;

    @Override
    Intents intents() throws IOException {
        return Intents.inFolder(temporary.resolve("intents"));
    }

    private Path onlyFile() throws IOException {
        try (var files = Files.newDirectoryStream(temporary.resolve("intents"), "*.intent")) {
            return files.iterator().next();
        }
    }

    @Test
    void another_opening_of_the_folder_finds_what_is_pending() throws IOException {
        intents().save(intent("a", 1)).orElseThrow().close();

        assertThat(intents().pending()).containsExactly(intent("a", 1));
    }

    @Test
    void two_openings_of_the_folder_by_different_names_do_not_hold_the_same() throws IOException {
        try (var hold = intents().save(intent("a", 1)).orElseThrow()) {
            var link = Files.createSymbolicLink(temporary.resolve("link"), temporary.resolve("intents"));

            assertThat(Intents.inFolder(link).acquire("a")).isEmpty();
            assertThat(Intents.inFolder(link).pending()).isEmpty();
        }
    }

    @Test
    void a_body_in_a_file_is_kept_by_its_place() throws IOException {
        var request = Request.post(URI.create("http://localhost/"), Body.ofFile(temporary.resolve("body")));
        var intent = new Intent("a", request, ManualTime.START, ManualTime.START.plusSeconds(1));
        intents().save(intent).orElseThrow().close();

        assertThat(intents().pending()).containsExactly(intent);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.5, 0.99})
    void what_was_not_written_to_its_end_was_never_sent_and_does_not_stand_in_the_way(double part) throws IOException {
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
    void what_a_newer_version_wrote_is_neither_overwritten_nor_hides_the_others() throws IOException {
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
    void only_the_owner_can_read_what_is_kept() throws IOException {
        Files.createDirectories(temporary.resolve("intents"));
        intents().save(intent("a", 1)).orElseThrow().close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(onlyFile())))
                .isEqualTo("rw-------");

        Intents.inFolder(temporary.resolve("made"));
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(temporary.resolve("made"))))
                .isEqualTo("rwx------");
    }

    @Test
    void nothing_is_left_of_an_intent_that_is_answered() throws IOException {
        try (var hold = intents().save(intent("a", 1)).orElseThrow()) {
            hold.complete();
        }

        try (var files = Files.list(temporary.resolve("intents"))) {
            assertThat(files).extracting(Path::getFileName).containsExactly(Path.of("folder.lock"));
        }
    }
}
