package dev.refrain.gateway.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.KeyPairGenerator;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TLS contexts from files that OpenSSL wrote (see the README beside them). */
class PemTlsLoaderTest {

    private static final PemTlsLoader LOADER =
            new PemTlsLoader(Map.of("KEY_PASSWORD", "secret", "WRONG_PASSWORD", "guess", "EMPTY", ""));

    @TempDir
    private Path folder;

    private static String file(String name) {
        try {
            return Path.of(PemTlsLoaderTest.class.getResource("tls/" + name).toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RawConfig.Tls tls(String certificate, String key, @Nullable String passwordVariable) {
        return new RawConfig.Tls(certificate, key, passwordVariable, null);
    }

    @ParameterizedTest
    @CsvSource({
        "rsa.pem, rsa-pkcs8.key, RSA",
        "rsa.pem, rsa-pkcs1.key, RSA",
        "rsa.pem, rsa-pkcs1-encrypted.key, RSA",
        "ec.pem, ec-sec1.key, EC",
        "ec.pem, ec-pkcs8.key, EC",
        "ec.pem, ec-pkcs8-encrypted.key, EC",
        "ed25519.pem, ed25519.key, EdDSA"
    })
    void keyOfEachFormatIsLoaded(String certificate, String key, String algorithm) throws Exception {
        var context = LOADER.server(tls(file(certificate), file(key), "KEY_PASSWORD"));

        assertThat(context.getKeyStore().getKey("gateway", new char[0]).getAlgorithm())
                .isEqualTo(algorithm);
        context.start();
        assertThat(context.getSslContext()).isNotNull();
        context.stop();
    }

    @Test
    void certificateChainIsLoadedInItsOrder() throws Exception {
        var context = LOADER.server(tls(file("ec-chain.pem"), file("ec-sec1.key"), null));

        assertThat(context.getKeyStore().getCertificateChain("gateway")).hasSize(2);
    }

    @Test
    void keyAndCertificateMayBeInOneFile() throws Exception {
        var both = folder.resolve("both.pem");
        Files.writeString(both, Files.readString(Path.of(file("ec-sec1.key"))), StandardOpenOption.CREATE);
        Files.writeString(both, Files.readString(Path.of(file("ec.pem"))), StandardOpenOption.APPEND);

        assertThat(LOADER.server(tls(file("ec.pem"), both.toString(), null)).getKeyStore())
                .isNotNull();
    }

    @ParameterizedTest
    @CsvSource({
        "ec.pem, ec-pkcs8-encrypted.key, , is encrypted, key-password-variable is not set",
        "ec.pem, ec-pkcs8-encrypted.key, EMPTY, key-password-variable is EMPTY, Set it",
        "ec.pem, ec-pkcs8-encrypted.key, WRONG_PASSWORD, cannot be decrypted, WRONG_PASSWORD",
        "rsa.pem, rsa-pkcs1-encrypted.key, WRONG_PASSWORD, cannot be decrypted, WRONG_PASSWORD",
        "rsa.pem, ec-sec1.key, , does not belong to the first certificate, issued for",
        "ec.pem, ec.pem, , there is no private key, BEGIN PRIVATE KEY",
        "ec-sec1.key, ec-sec1.key, , gateway.tls.certificate, BEGIN CERTIFICATE",
        "README.md, ec-sec1.key, , gateway.tls.certificate, BEGIN CERTIFICATE",
        "ec.pem, README.md, , there is no private key, BEGIN PRIVATE KEY"
    })
    void unusableFileIsRefusedWithItsReasonAndRemedy(
            String certificate, String key, @Nullable String variable, String reason, String remedy) {
        assertThatThrownBy(() -> LOADER.server(tls(file(certificate), file(key), variable)))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining(reason)
                .hasMessageContaining(remedy)
                .hasMessageNotContaining("guess");
    }

    /** Both have the same kind of key, so that only a signature tells them apart. */
    @Test
    void keyOfAnotherCertificateIsRefused() throws Exception {
        var generator = KeyPairGenerator.getInstance("EC");
        var another = generator.generateKeyPair().getPrivate();
        var key = folder.resolve("another.key");
        Files.writeString(key, pem(another.getEncoded()));

        assertThatThrownBy(() -> LOADER.server(tls(file("ec.pem"), key.toString(), null)))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("does not belong to the first certificate");
    }

    @Test
    void keyThatIsNotTextIsRefused() throws IOException {
        var der = folder.resolve("key.der");
        Files.write(der, new byte[] {0x30, (byte) 0x82, (byte) 0xff, 0});

        assertThatThrownBy(() -> LOADER.server(tls(file("ec.pem"), der.toString(), null)))
                .isInstanceOf(GatewayConfigException.class)
                .hasMessageContaining("in PEM");
    }

    private static String pem(byte[] key) {
        return "-----BEGIN PRIVATE KEY-----\n" + Base64.getMimeEncoder().encodeToString(key)
                + "\n-----END PRIVATE KEY-----\n";
    }
}
