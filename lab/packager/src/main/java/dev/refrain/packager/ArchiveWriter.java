package dev.refrain.packager;

import dev.refrain.packager.PackagedFiles.Link;
import dev.refrain.packager.PackagedFiles.RegularFile;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;

/** Writes archives that depend on their files and the time of the release alone: the same files give the same archive, byte for byte. */
final class ArchiveWriter {

    private static final int EXECUTABLE = 0755;
    private static final int READABLE = 0644;

    private final Instant timestamp;

    ArchiveWriter(Instant timestamp) {
        this.timestamp = timestamp;
    }

    void tarGz(Path archive, PackagedFiles files) throws IOException {
        var parameters = new GzipParameters();
        parameters.setCompressionLevel(Deflater.BEST_COMPRESSION);
        try (var out = new BufferedOutputStream(Files.newOutputStream(archive));
                var zipped = new GzipCompressorOutputStream(out, parameters);
                var tar = tar(zipped)) {
            for (var entry : files.entries().entrySet()) {
                switch (entry.getValue()) {
                    case RegularFile file ->
                        addFile(tar, entry.getKey(), file.content(), file.executable() ? EXECUTABLE : READABLE);
                    case Link link -> addLink(tar, entry.getKey(), link.target());
                }
            }
        }
    }

    /** Opens a tar that allows long names. */
    static TarArchiveOutputStream tar(OutputStream out) {
        var tar = new TarArchiveOutputStream(out, "UTF-8");
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
        return tar;
    }

    void addFile(TarArchiveOutputStream tar, String path, byte[] content, int mode) throws IOException {
        var entry = new TarArchiveEntry(path, TarConstants.LF_NORMAL);
        entry.setSize(content.length);
        put(tar, entry, mode);
        tar.write(content);
        tar.closeArchiveEntry();
    }

    void addLink(TarArchiveOutputStream tar, String path, String target) throws IOException {
        var entry = new TarArchiveEntry(path, TarConstants.LF_SYMLINK);
        entry.setLinkName(target);
        put(tar, entry, 0777);
        tar.closeArchiveEntry();
    }

    void addFolder(TarArchiveOutputStream tar, String path, int mode, int owner) throws IOException {
        var entry = new TarArchiveEntry(path + "/", TarConstants.LF_DIR);
        entry.setIds(owner, owner);
        put(tar, entry, mode);
        tar.closeArchiveEntry();
    }

    private void put(TarArchiveOutputStream tar, TarArchiveEntry entry, int mode) throws IOException {
        entry.setMode(mode);
        entry.setUserName("");
        entry.setGroupName("");
        entry.setModTime(timestamp.toEpochMilli());
        tar.putArchiveEntry(entry);
    }

    /** Writes a zip, for Windows: it has neither modes nor links. */
    void zip(Path archive, PackagedFiles files) throws IOException {
        try (var zip = new ZipOutputStream(new BufferedOutputStream(Files.newOutputStream(archive)))) {
            for (var entry : files.entries().entrySet()) {
                if (entry.getValue() instanceof RegularFile file) {
                    var head = new ZipEntry(entry.getKey());
                    head.setTimeLocal(LocalDateTime.ofInstant(timestamp, ZoneOffset.UTC));
                    zip.putNextEntry(head);
                    zip.write(file.content());
                    zip.closeEntry();
                }
            }
        }
    }
}
