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
 * <p>Immutable, for any number of threads.
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

    /** @param secret in base64, with or without {@code whsec_} before it; 24 bytes or more */
    public static WebhookSigner withSecret(String secret) {
        return new WebhookSigner(List.of(key(secret)));
    }

    /** Signs by the older one too, for as long as receivers may not know the newer. */
    public WebhookSigner withPreviousSecret(String older) {
        var both = new ArrayList<>(secrets);
        both.add(key(older));
        return new WebhookSigner(List.copyOf(both));
    }

    /** What {@code webhook-signature} is to be. */
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
            throw new IllegalStateException("Every Java has " + ALGORITHM + ".", e);
        }
    }

    private static SecretKeySpec key(String secret) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(secret.startsWith(PREFIX) ? secret.substring(PREFIX.length()) : secret);
        } catch (IllegalArgumentException e) {
            // Not the cause: it may quote the secret.
            throw new IllegalArgumentException("A secret for signing is in base64, and this one is not.");
        }
        if (bytes.length < LEAST_BYTES) {
            throw new IllegalArgumentException(
                    "A secret for signing has at least " + LEAST_BYTES + " bytes, not " + bytes.length + ".");
        }
        return new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Shows no secret. */
    @Override
    public String toString() {
        return "WebhookSigning[" + secrets.size() + " secrets]";
    }
}
