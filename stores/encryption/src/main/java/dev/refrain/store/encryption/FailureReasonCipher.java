package dev.refrain.store.encryption;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimAttempt;
import dev.refrain.store.RecordExplanation;
import dev.refrain.store.RecordView;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.UnfinishedRecord;
import dev.refrain.store.encryption.PayloadCipher.PayloadKind;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Encrypts the texts that say why something failed, which may quote anything: an exception, an answer of another system.
 *
 * <p>Stored form: {@code enc:} and base64. A store writes words of its own around it ({@code released: enc:…}); a text without such a token,
 * stored before encryption was enabled or by the store itself, is shown as it is, and one that does not decrypt as {@code (encrypted)}.
 * As thread-safe as {@link PayloadCipher}.
 */
record FailureReasonCipher(PayloadCipher cipher) {

    private static final String PREFIX = "enc:";
    private static final String UNREADABLE = "(encrypted)";
    private static final Pattern TOKEN = Pattern.compile(PREFIX + "([A-Za-z0-9_-]+)");

    /** Reasons of messages are settled by row, without the message's id at hand: they are bound to no message. */
    static final KeyHash OF_MESSAGES = KeyHash.of(new UUID(0, 0));

    String encrypt(String reason, KeyHash lookup) {
        if (reason.isEmpty()) {
            return reason;
        }
        var sealed = cipher.encrypt(Payload.of(reason.getBytes(StandardCharsets.UTF_8)), lookup, PayloadKind.REASON);
        return PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(sealed.bytes());
    }

    String decrypt(String stored, KeyHash lookup) {
        return stored.contains(PREFIX)
                ? TOKEN.matcher(stored)
                        .replaceAll(found -> Matcher.quoteReplacement(clear(found.group(), found.group(1), lookup)))
                : stored;
    }

    private String clear(String token, String encoded, KeyHash lookup) {
        byte[] sealed;
        try {
            sealed = Base64.getUrlDecoder().decode(encoded);
        } catch (IllegalArgumentException foreign) {
            return token;
        }
        if (!PayloadCipher.isEncrypted(sealed)) {
            return token;
        }
        try {
            return new String(
                    cipher.decrypt(Payload.of(sealed), lookup, PayloadKind.REASON)
                            .bytes(),
                    StandardCharsets.UTF_8);
        } catch (RowRejectedException unreadable) {
            return UNREADABLE;
        }
    }

    AttentionItem decrypt(AttentionItem item) {
        var lookup = item.claim().lookup();
        return new AttentionItem(
                item.identity(),
                item.claim(),
                decrypt(item.reason(), lookup),
                item.since(),
                item.age(),
                decrypt(item.explanation(), lookup));
    }

    UnfinishedRecord decrypt(UnfinishedRecord record) {
        return new UnfinishedRecord(
                record.identity(),
                record.id(),
                record.state(),
                decrypt(record.explanation(), record.identity().hash()),
                record.attempts());
    }

    RecordView decrypt(RecordView view) {
        var lookup = view.claim().lookup();
        return new RecordView(
                view.identity(),
                view.claim(),
                view.state(),
                view.takeOver(),
                view.recipe(),
                view.subject(),
                view.times(),
                view.sizes(),
                view.attention().map(why -> new RecordView.AttentionReason(decrypt(why.reason(), lookup), why.since())),
                decrypt(view.explanation(), lookup));
    }

    RecordExplanation decrypt(RecordExplanation explanation, KeyHash lookup) {
        return new RecordExplanation(
                explanation.operation(),
                explanation.caller(),
                explanation.traceId(),
                explanation.age(),
                explanation.recoveryPoint(),
                explanation.calls(),
                explanation.attempts().stream()
                        .map(attempt -> decrypt(attempt, lookup))
                        .toList());
    }

    private ClaimAttempt decrypt(ClaimAttempt attempt, KeyHash lookup) {
        Optional<String> readable = attempt.endReason().map(why -> decrypt(why, lookup));
        return new ClaimAttempt(
                attempt.fence(), attempt.instance(), attempt.traceId(), attempt.began(), attempt.ended(), readable);
    }
}
