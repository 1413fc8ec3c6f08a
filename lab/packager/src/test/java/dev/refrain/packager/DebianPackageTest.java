package dev.refrain.packager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A package that cannot be had is not the same as one that is not what the list says: the image is left out for the first alone. */
class DebianPackageTest {

    private static final String PATH = "pool/main/x/x/x_1.0_amd64.deb";

    @TempDir
    private Path folder;

    @Test
    void mirrorThatIsAwayMakesThePackageUnavailable() throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }

        assertThatThrownBy(() -> read("http://127.0.0.1:" + port, sha256("a package")))
                .isInstanceOf(PackageUnavailableException.class)
                .hasMessageContaining(PATH)
                .hasMessageContaining("-Drefrain.debian=");
    }

    @Test
    void packageThatTheMirrorNoLongerHasIsUnavailable() throws Exception {
        var mirror = mirror(404, "gone");

        assertThatThrownBy(() -> read(address(mirror), sha256("a package")))
                .isInstanceOf(PackageUnavailableException.class)
                .hasMessageContaining("answered 404");
        mirror.stop(0);
    }

    @Test
    void packageWithAnotherChecksumIsRefused() throws Exception {
        var mirror = mirror(200, "something else");

        assertThatThrownBy(() -> read(address(mirror), sha256("a package")))
                .isInstanceOf(PackagingException.class)
                .isNotInstanceOf(PackageUnavailableException.class)
                .hasMessageContaining(sha256("something else"));
        mirror.stop(0);
    }

    @Test
    void keptPackageNeedsNoMirror() throws Exception {
        var kept = folder.resolve("kept.deb");
        try (var ar = new ArArchiveOutputStream(Files.newOutputStream(kept))) {
            ar.putArchiveEntry(new ArArchiveEntry("debian-binary", 4));
            ar.write("2.0\n".getBytes(StandardCharsets.US_ASCII));
            ar.closeArchiveEntry();
        }
        String sum = sha256(Files.readString(kept, StandardCharsets.ISO_8859_1));
        Files.move(kept, folder.resolve(sum + ".deb"));

        assertThat(read("http://127.0.0.1:1", sum))
                .singleElement()
                .extracting(DebianPackage::version)
                .isEqualTo("1.0");
    }

    private List<DebianPackage> read(String mirror, String sha256) throws IOException, InterruptedException {
        var list = Files.writeString(folder.resolve("list"), "# packages\namd64 " + PATH + " " + sha256 + "\n");
        return DebianPackage.ofList(list, "amd64", mirror, folder);
    }

    private static HttpServer mirror(int status, String body) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] bytes = body.getBytes(StandardCharsets.ISO_8859_1);
            exchange.sendResponseHeaders(status, bytes.length);
            exchange.getResponseBody().write(bytes);
            exchange.close();
        });
        server.start();
        return server;
    }

    private static String address(HttpServer server) {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static String sha256(String text) throws Exception {
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    }
}
