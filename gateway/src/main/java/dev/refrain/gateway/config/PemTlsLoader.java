package dev.refrain.gateway.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** Certificates and keys from files in PEM, as every tool writes them. */
final class PemTlsLoader {

    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "Ed25519");

    private PemTlsLoader() {}

    static SslContextFactory.Server server(RawConfig.Tls tls) {
        String certificate = required("gateway.tls.certificate", tls.certificate());
        String key = required("gateway.tls.key", tls.key());
        try {
            var own = empty();
            own.setKeyEntry(
                    "gateway",
                    privateKey(key),
                    new char[0],
                    certificates("gateway.tls.certificate", certificate).toArray(Certificate[]::new));
            var context = new SslContextFactory.Server();
            context.setKeyStore(own);
            context.setKeyStorePassword("");
            context.setSniRequired(false);
            if (tls.clientCa() != null) {
                context.setTrustStore(trusted("gateway.tls.client-ca", tls.clientCa()));
                context.setWantClientAuth(true);
            }
            return context;
        } catch (GeneralSecurityException e) {
            throw new GatewayConfigException(
                    "gateway.tls: the certificate and its key cannot be used: " + e.getMessage(), e);
        }
    }

    static SslContextFactory.Client client(String ca) {
        try {
            var context = new SslContextFactory.Client();
            context.setTrustStore(trusted("gateway.upstream-ca", ca));
            return context;
        } catch (GeneralSecurityException e) {
            throw new GatewayConfigException("gateway.upstream-ca: " + ca + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyStore trusted(String setting, String file) throws GeneralSecurityException {
        var store = empty();
        int number = 0;
        for (var certificate : certificates(setting, file)) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        return store;
    }

    private static KeyStore empty() throws GeneralSecurityException {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static Collection<? extends Certificate> certificates(String setting, String file)
            throws GeneralSecurityException {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            var all = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (all.isEmpty()) {
                throw new GatewayConfigException(setting + ": there is no certificate in " + file + ".", null);
            }
            return all;
        } catch (IOException e) {
            throw new GatewayConfigException(setting + ": " + file + " cannot be read: " + e, e);
        }
    }

    private static PrivateKey privateKey(String file) throws GeneralSecurityException {
        String text;
        try {
            text = Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new GatewayConfigException("gateway.tls.key: " + file + " cannot be read: " + e, e);
        }
        var found = KEY.matcher(text);
        if (!found.find()) {
            throw new GatewayConfigException(
                    "gateway.tls.key: in " + file
                            + " there is no BEGIN PRIVATE KEY (PKCS#8 without a password); openssl pkcs8 -topk8 -nodes makes one.",
                    null);
        }
        var spec = new PKCS8EncodedKeySpec(Base64.getMimeDecoder().decode(found.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException another) {
                // The file does not say of which kind it is: the next one.
            }
        }
        throw new GatewayConfigException(
                "gateway.tls.key: the key in " + file + " is of none of these kinds: " + String.join(", ", ALGORITHMS)
                        + ".",
                null);
    }

    private static String required(String setting, @Nullable String file) {
        if (file == null) {
            throw new GatewayConfigException(setting + " is not set; it may be a file in PEM.", null);
        }
        return file;
    }
}
