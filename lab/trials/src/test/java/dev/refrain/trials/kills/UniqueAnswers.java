package dev.refrain.trials.kills;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.store.OutcomeFormat;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** Answers that differ from run to run, so that a key that two runs answered is noticed. */
final class UniqueAnswers {

    private static final int MOST_NOISE = 3_000;

    private UniqueAnswers() {}

    static Outcome.Answer of(String effect) {
        var random = ThreadLocalRandom.current();
        var noise = new byte[random.nextInt(10) == 0 ? random.nextInt(MOST_NOISE) : random.nextInt(64)];
        random.nextBytes(noise);
        var body = new ByteArrayOutputStream();
        body.writeBytes((effect + "\n").getBytes(StandardCharsets.UTF_8));
        body.writeBytes(noise);
        return new Outcome.Answer(
                200 + random.nextInt(100),
                List.of(new AnswerHeader("Receipt", UUID.randomUUID().toString())),
                Payload.of(body.toByteArray()));
    }

    /** Returns the journal's note of an answer: the digest of status, headers and body, and its effect. */
    static String note(Outcome.Answer answer) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest(OutcomeFormat.encode(answer).bytes());
            return HexFormat.of().formatHex(digest, 0, 12) + " " + effectIn(answer);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform must offer SHA-256", e);
        }
    }

    private static String effectIn(Outcome.Answer answer) {
        String body = new String(answer.body().bytes(), StandardCharsets.ISO_8859_1);
        int end = body.indexOf('\n');
        return end < 0 ? "(no effect)" : body.substring(0, end);
    }
}
