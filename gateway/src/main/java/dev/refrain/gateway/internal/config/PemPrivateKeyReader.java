package dev.refrain.gateway.internal.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Map;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMDecryptorProviderBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a private key from a PEM file: PKCS#8, PKCS#1 and SEC 1, in clear or encrypted. Bouncy Castle decodes the file; the
 * key itself is one of the JDK's. Immutable.
 */
final class PemPrivateKeyReader {

    static final String SETTING = "gateway.tls.key";
    private static final String PASSWORD_SETTING = "gateway.tls.key-password-variable";

    private final Map<String, String> environment;

    PemPrivateKeyReader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /**
     * @param passwordVariable the environment variable with the password, if the key is encrypted
     * @throws GatewayConfigException if there is no key in the file, or it cannot be decrypted or used
     */
    PrivateKey read(String file, @Nullable String passwordVariable) {
        try (var pem = new PEMParser(Files.newBufferedReader(Path.of(file)))) {
            var found = firstKey(pem, file, passwordVariable);
            String algorithm = found.getPrivateKeyAlgorithm().getAlgorithm().getId();
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(found.getEncoded()));
        } catch (GeneralSecurityException e) {
            throw new GatewayConfigException(
                    SETTING + ": Java cannot use the key in " + file + ": " + e.getMessage()
                            + ". Use an RSA, EC or Ed25519 key.",
                    e);
        } catch (IOException e) {
            throw new GatewayConfigException(
                    SETTING + ": " + file + " cannot be read: " + e
                            + ". It must be a private key in PEM that this process may read.",
                    e);
        }
    }

    private PrivateKeyInfo firstKey(PEMParser pem, String file, @Nullable String passwordVariable) throws IOException {
        for (Object next = pem.readObject(); next != null; next = pem.readObject()) {
            switch (next) {
                case PrivateKeyInfo pkcs8 -> {
                    return pkcs8;
                }
                case PEMKeyPair traditional -> {
                    return traditional.getPrivateKeyInfo();
                }
                case PKCS8EncryptedPrivateKeyInfo encrypted -> {
                    return decrypt(
                            file,
                            passwordVariable,
                            password -> encrypted.decryptPrivateKeyInfo(new JceOpenSSLPKCS8DecryptorProviderBuilder()
                                    .setProvider(new BouncyCastleProvider())
                                    .build(password)));
                }
                case PEMEncryptedKeyPair encrypted -> {
                    return decrypt(
                            file,
                            passwordVariable,
                            password -> encrypted
                                    .decryptKeyPair(new JcePEMDecryptorProviderBuilder()
                                            .setProvider(new BouncyCastleProvider())
                                            .build(password))
                                    .getPrivateKeyInfo());
                }
                // EC PARAMETERS before the key, or a certificate in the same file.
                default -> {}
            }
        }
        throw new GatewayConfigException(
                SETTING + ": there is no private key in " + file
                        + ". It must hold BEGIN PRIVATE KEY, ENCRYPTED PRIVATE KEY, RSA PRIVATE KEY or EC PRIVATE KEY.",
                null);
    }

    private PrivateKeyInfo decrypt(String file, @Nullable String passwordVariable, KeyDecryption decryption) {
        char[] password = password(file, passwordVariable);
        try {
            return decryption.decrypt(password);
        } catch (IOException | PKCSException | OperatorCreationException e) {
            throw new GatewayConfigException(
                    SETTING + ": the key in " + file + " cannot be decrypted with the password in " + passwordVariable
                            + ": " + e.getMessage() + ". Check the value of that variable.",
                    e);
        }
    }

    /** Decryption of one format of key file. */
    private interface KeyDecryption {

        PrivateKeyInfo decrypt(char[] password) throws IOException, PKCSException, OperatorCreationException;
    }

    private char[] password(String file, @Nullable String variable) {
        if (variable == null) {
            throw new GatewayConfigException(
                    SETTING + ": the key in " + file + " is encrypted, and " + PASSWORD_SETTING
                            + " is not set. Name the environment variable that holds its password.",
                    null);
        }
        String password = environment.get(variable);
        if (password == null || password.isEmpty()) {
            throw new GatewayConfigException(
                    PASSWORD_SETTING + " is " + variable + ", but this environment variable is not set or empty."
                            + " Set it to the password of " + file + ".",
                    null);
        }
        return password.toCharArray();
    }

    /** Returns whether the two keys are halves of one pair, by a signature that one makes and the other verifies. */
    static boolean isPair(PrivateKey own, PublicKey published) throws GeneralSecurityException {
        if (!sameFamily(own, published)) {
            return false;
        }
        byte[] sample = {1, 2, 3};
        var signature = Signature.getInstance(signatureAlgorithm(own));
        signature.initSign(own);
        signature.update(sample);
        byte[] signed = signature.sign();
        signature.initVerify(published);
        signature.update(sample);
        return signature.verify(signed);
    }

    private static boolean sameFamily(PrivateKey own, PublicKey published) {
        return own.getAlgorithm().equals(published.getAlgorithm());
    }

    private static String signatureAlgorithm(PrivateKey key) {
        return switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
    }
}
