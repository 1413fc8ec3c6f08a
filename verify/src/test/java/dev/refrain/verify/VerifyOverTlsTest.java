package dev.refrain.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Conformance cases over TLS, with a certificate created here. */
class VerifyOverTlsTest {

    private static final char[] PASSWORD = "changeit".toCharArray();

    @TempDir
    private Path folder;

    private SSLContext before;

    @BeforeEach
    void remember() throws Exception {
        before = SSLContext.getDefault();
    }

    @AfterEach
    void restore() {
        SSLContext.setDefault(before);
    }

    private SSLContext contextFor(String name) throws Exception {
        var file = folder.resolve("keys.p12");
        var keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
        int exit = new ProcessBuilder(
                        keytool,
                        "-genkeypair",
                        "-alias",
                        "api",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=dns:" + name,
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        new String(PASSWORD))
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start()
                .waitFor();
        assertThat(exit).as(Files.readString(folder.resolve("keytool.log"))).isZero();
        var store = KeyStore.getInstance(file.toFile(), PASSWORD);
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, PASSWORD);
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void allCasesPassOverTls() throws Exception {
        var context = contextFor("localhost");
        SSLContext.setDefault(context);
        try (var api = new FlawedApi(ApiFlaw.NONE, Optional.of(context))) {
            var report = api.verified(FlawDetectionTest.subject(api)).run(result -> {});

            assertThat(report.results())
                    .allSatisfy(result ->
                            assertThat(result.verdict()).as("%s", result).isEqualTo(CaseVerdict.passed()));
        }
    }

    @Test
    void untrustedCertificateIsRejected() throws Exception {
        var context = contextFor("elsewhere.test");
        try (var api = new FlawedApi(ApiFlaw.NONE, Optional.of(context))) {
            var verification = ApiVerifier.of(FlawDetectionTest.subject(api));

            assertThatThrownBy(() -> verification.run(result -> {})).isInstanceOf(ApiUnreachableException.class);
            SSLContext.setDefault(context);
            assertThatThrownBy(() -> verification.run(result -> {})).isInstanceOf(ApiUnreachableException.class);
            try (var caseContext = new VerifyCaseContext(
                    FlawDetectionTest.subject(api), new ApiObservations(), new AtomicLong(), 1, time -> {})) {
                var call = caseContext.call();
                assertThatThrownBy(() -> caseContext.onWire(call, "", wire -> wire.status()))
                        .isInstanceOf(NoResponseException.class);
            }
            assertThat(api.requests()).isZero();
        }
    }
}
