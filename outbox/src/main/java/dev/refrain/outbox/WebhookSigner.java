package dev.refrain.outbox;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs messages as Standard Webhooks says: HMAC-SHA256 over id, time and body, so that the receiver knows who sent it and when. While a
 * secret is being replaced, messages are signed by both, and a receiver that knows either accepts them.
 *
 * <p>Immutable; safe for use by many threads.
 */
public final class WebhookSigner {

    static final String ID = "webhook-id";
    static final String TIMESTAMP = "webhook-timestamp";
    static final String SIGNATURE = "webhook-signature";

    private static final String ALGORITHM = "HmacSHA256";
    private static final String PREFIX = "whsec_";
    private static final int LEAST_BYTES = 24;

    private final List<SecretKeySpec> secrets;

    private WebhookSigner(List<SecretKeySpec> secrets) {
        this.secrets = secrets;
    }

    /**
     * Returns a signer with one secret.
     *
     * @param secret base64 of at least 24 bytes, with or without the prefix {@code whsec_}
     */
    public static WebhookSigner withSecret(String secret) {
        return new WebhookSigner(List.of(key(secret)));
    }

    /** Returns a signer that also signs with the previous secret, while receivers may not know the new one. */
    public WebhookSigner withPreviousSecret(String older) {
        var both = new ArrayList<>(secrets);
        both.add(key(older));
        return new WebhookSigner(List.copyOf(both));
    }

    /** Returns the value of {@code webhook-signature}. */
    String signature(String id, Instant at, byte[] body) {
        var signed = (id + "." + at.getEpochSecond() + ".").getBytes(StandardCharsets.UTF_8);
        return secrets.stream()
                .map(secret -> "v1," + Base64.getEncoder().encodeToString(hmac(secret, signed, body)))
                .collect(Collectors.joining(" "));
    }

    private static byte[] hmac(SecretKeySpec secret, byte[] head, byte[] body) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(secret);
            mac.update(head);
            return mac.doFinal(body);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(
                    "This JVM lacks " + ALGORITHM + ", which every Java platform must have.", e);
        }
    }

    private static SecretKeySpec key(String secret) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret);
        } catch (IllegalArgumentException e) {
            // Not the cause: it may quote the secret.
            throw new IllegalArgumentException(
                    "Cannot read the signing secret: it is not base64. Pass base64 of at least 24 bytes.");
        }
        if (bytes.length < LEAST_BYTES) {
            throw new IllegalArgumentException("The signing secret is too short: it has " + bytes.length
                    + " bytes and needs at least " + LEAST_BYTES + " bytes.");
        }
        return new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "WebhookSigner[" + secrets.size() + " secrets]";
    }
}
