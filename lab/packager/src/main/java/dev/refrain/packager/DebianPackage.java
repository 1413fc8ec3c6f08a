package dev.refrain.packager;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.commons.compress.archivers.ar.ArArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.tukaani.xz.XZInputStream;

/** Package of Debian, fetched once and recognised by its SHA-256. */
final class DebianPackage {

    /** File of a package. */
    static final class PackageFile {
        private final byte[] content;
        private final int mode;

        PackageFile(byte[] content, int mode) {
            this.content = content;
            this.mode = mode;
        }

        byte[] content() {
            return content;
        }

        int mode() {
            return mode;
        }
    }

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(20);

    private final String name;
    private final String version;
    private final Map<String, PackageFile> files = new TreeMap<>();
    private String control = "";

    private DebianPackage(String name, String version) {
        this.name = name;
        this.version = version;
    }

    /**
     * Reads the packages of a list, which has architecture, path and SHA-256 on each line.
     *
     * @param archive the address of a mirror of Debian's archive
     * @param cache where packages are kept, so that a second run needs no network
     * @throws PackageUnavailableException if one is neither kept nor to be had
     */
    static List<DebianPackage> ofList(Path list, String architecture, String archive, Path cache)
            throws IOException, InterruptedException {
        var packages = new ArrayList<DebianPackage>();
        for (String line : Files.readAllLines(list)) {
            String[] words = line.strip().split("\\s+", -1);
            if (words[0].equals(architecture)) {
                packages.add(read(words[1], fetch(words[1], words[2], archive, cache)));
            }
        }
        return packages;
    }

    private static byte[] fetch(String path, String sha256, String archive, Path cache)
            throws IOException, InterruptedException {
        Path kept = cache.resolve(sha256 + ".deb");
        if (Files.exists(kept) && sha256(Files.readAllBytes(kept)).equals(sha256)) {
            return Files.readAllBytes(kept);
        }
        var address = URI.create(archive + "/" + path);
        byte[] content = download(address);
        if (!sha256(content).equals(sha256)) {
            throw new PackagingException(address + " has the SHA-256 " + sha256(content) + ", not " + sha256 + ".");
        }
        Files.createDirectories(cache);
        Path part = Files.createTempFile(cache, "package", ".part");
        Files.write(part, content);
        Files.move(part, kept, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        return content;
    }

    private static byte[] download(URI address) throws InterruptedException {
        try (var client = HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NORMAL)
                .connectTimeout(CONNECT_TIMEOUT)
                .build()) {
            var response =
                    client.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new PackageUnavailableException(
                        address + " answered " + response.statusCode()
                                + ". If Debian has a newer version, name it in debian-packages.txt; -Drefrain.debian=… names another mirror.");
            }
            return response.body();
        } catch (IOException away) {
            throw new PackageUnavailableException(
                    address + " cannot be fetched (" + away + "). -Drefrain.debian=… names another mirror.");
        }
    }

    private static DebianPackage read(String path, byte[] deb) throws IOException {
        String[] names = path.substring(path.lastIndexOf('/') + 1).split("_", -1);
        var read = new DebianPackage(names[0], names[1]);
        try (var ar = new ArArchiveInputStream(new ByteArrayInputStream(deb))) {
            for (var part = ar.getNextEntry(); part != null; part = ar.getNextEntry()) {
                if (part.getName().endsWith(".tar.xz")) {
                    read.readTar(part.getName().startsWith("control"), ar.readAllBytes());
                }
            }
        }
        return read;
    }

    private void readTar(boolean isControl, byte[] xz) throws IOException {
        try (var tar = new TarArchiveInputStream(new XZInputStream(new ByteArrayInputStream(xz)))) {
            for (var entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                String file = entry.getName().replaceFirst("^\\./", "");
                if (!entry.isFile()) {
                    continue;
                }
                if (!isControl) {
                    files.put(file, new PackageFile(tar.readAllBytes(), entry.getMode() & 0777));
                } else if (file.equals("control")) {
                    control = new String(tar.readAllBytes(), StandardCharsets.UTF_8);
                }
            }
        }
    }

    private static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    String name() {
        return name;
    }

    String version() {
        return version;
    }

    /** Returns the package's own description, as scanners of images look for it. */
    String control() {
        return control;
    }

    /** Returns regular files by their paths, without a slash in front. */
    Map<String, PackageFile> files() {
        return files;
    }
}
