package dev.refrain.gateway.internal.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Map;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/** Builds TLS contexts from the PEM files that the configuration names. Immutable. */
final class PemTlsLoader {

    private static final String CERTIFICATE = "gateway.tls.certificate";

    private final PemPrivateKeyReader keys;

    /** @param environment the variables among which the password of an encrypted key is looked up */
    PemTlsLoader(Map<String, String> environment) {
        this.keys = new PemPrivateKeyReader(environment);
    }

    /** @throws GatewayConfigException if a file is missing, holds something else, or the key is not that of the certificate */
    SslContextFactory.Server server(RawConfig.Tls tls) {
        String file = required(CERTIFICATE, tls.certificate());
        String keyFile = required(PemPrivateKeyReader.SETTING, tls.key());
        PrivateKey key = keys.read(keyFile, tls.keyPasswordVariable());
        try {
            var chain = certificates(CERTIFICATE, file).toArray(Certificate[]::new);
            if (!PemPrivateKeyReader.isPair(key, chain[0].getPublicKey())) {
                throw new GatewayConfigException(
                        PemPrivateKeyReader.SETTING + ": the key in " + keyFile
                                + " does not belong to the first certificate in "
                                + file + ". Name the key that the certificate was issued for, and put that certificate"
                                + " before those of its issuers.",
                        null);
            }
            var own = emptyStore();
            own.setKeyEntry("gateway", key, new char[0], chain);
            var context = new SslContextFactory.Server();
            context.setKeyStore(own);
            context.setKeyStorePassword("");
            context.setSniRequired(false);
            if (tls.clientCa() != null) {
                context.setTrustStore(trustStore("gateway.tls.client-ca", tls.clientCa()));
                context.setWantClientAuth(true);
            }
            return context;
        } catch (GeneralSecurityException e) {
            throw new GatewayConfigException(
                    "gateway.tls: Java cannot use the certificate in " + file + " with the key in " + keyFile + ": "
                            + e.getMessage() + ". Use an RSA, EC or Ed25519 key and an X.509 certificate.",
                    e);
        }
    }

    /** @throws GatewayConfigException if the file cannot be read or holds no certificate */
    static SslContextFactory.Client client(String caFile) {
        try {
            var context = new SslContextFactory.Client();
            context.setTrustStore(trustStore("gateway.upstream-ca", caFile));
            return context;
        } catch (GeneralSecurityException e) {
            throw new GatewayConfigException(
                    "gateway.upstream-ca: Java cannot use the certificates in " + caFile + ": " + e.getMessage(), e);
        }
    }

    private static KeyStore trustStore(String setting, String file) throws GeneralSecurityException {
        var store = emptyStore();
        int number = 0;
        for (var certificate : certificates(setting, file)) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        return store;
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    private static Collection<? extends Certificate> certificates(String setting, String file) {
        try (InputStream in = Files.newInputStream(Path.of(file))) {
            var all = CertificateFactory.getInstance("X.509").generateCertificates(in);
            if (all.isEmpty()) {
                throw new GatewayConfigException(
                        setting + ": there is no certificate in " + file + ". It must hold BEGIN CERTIFICATE.", null);
            }
            return all;
        } catch (CertificateException e) {
            throw new GatewayConfigException(
                    setting + ": " + file + " holds something that is not a certificate: " + e.getMessage()
                            + ". It must hold certificates in PEM (BEGIN CERTIFICATE) and nothing else.",
                    e);
        } catch (IOException e) {
            throw new GatewayConfigException(setting + ": " + file + " cannot be read: " + e, e);
        }
    }

    private static String required(String setting, @Nullable String file) {
        if (file == null) {
            throw new GatewayConfigException(setting + " is not set. Name a file in PEM.", null);
        }
        return file;
    }
}
