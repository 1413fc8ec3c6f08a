package dev.refrain.store.redis;

import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.Fingerprint;
import dev.refrain.store.RecordState;
import dev.refrain.store.StoredRecord;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.UUID;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Binary format of a completed record in the replay cache: version, epoch, times, record, and a code over all of it together with the identity and the
 * prefix, so that a damaged, truncated or misplaced entry is none. Thread-safe.
 */
final class ReplayEntryCodec {

    static final int EPOCH_BYTES = 16;

    private static final int VERSION = 1;
    private static final String ALGORITHM = "HmacSHA256";
    private static final int CODE_BYTES = 32;
    private static final long FOR_EVER = -1;

    /** Makes the code a checksum, where there is no secret. */
    private static final String NO_SECRET = "refrain/replay-cache";

    private final byte[] prefix;
    private final SecretKeySpec key;

    ReplayEntryCodec(String prefix, Optional<byte[]> secret) {
        this.prefix = RedisKeys.utf8(prefix);
        this.key = new SecretKeySpec(secret.orElseGet(() -> RedisKeys.utf8(NO_SECRET)), ALGORITHM);
    }

    /** What an entry adds to the record that the store returned. */
    record EntryTerms(Payload epoch, Instant readAt, Duration life) {}

    byte[] encode(ScopedKey identity, StoredRecord record, EntryTerms terms) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeByte(VERSION);
            out.write(terms.epoch().bytes());
            out.writeLong(terms.readAt().toEpochMilli());
            out.writeLong(terms.life().toMillis());
            write(out, record);
            out.flush();
            out.write(code(identity, bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory cannot fail", e);
        }
        return bytes.toByteArray();
    }

    private static void write(DataOutputStream out, StoredRecord record) throws IOException {
        out.writeLong(record.remainingLife().map(Duration::toMillis).orElse(FOR_EVER));
        out.writeLong(record.remainingLease().toMillis());
        write(out, record.id().value());
        out.writeLong(record.fence());
        write(out, record.owner());
        out.writeBoolean(record.takeOver() == LeaseExpiryPolicy.HOLD);
        var fingerprint = record.fingerprint().orElseThrow();
        out.writeUTF(fingerprint.recipe());
        out.write(fingerprint.digest());
        var point = record.recoveryPoint();
        out.writeBoolean(point.isPresent());
        if (point.isPresent()) {
            out.writeUTF(point.get().name());
            out.writeBoolean(point.get().callMayBeSent());
        }
        out.writeBoolean(record.outcome().isPresent());
        out.write(record.outcome().map(Payload::bytes).orElseGet(() -> new byte[0]));
    }

    private static void write(DataOutputStream out, UUID value) throws IOException {
        out.writeLong(value.getMostSignificantBits());
        out.writeLong(value.getLeastSignificantBits());
    }

    /** Returns the record, with what is left of its life; empty unless the entry is whole, of this identity and epoch, and within its life. */
    Optional<StoredRecord> decode(byte[] entry, ScopedKey identity, KeyHash lookup, Payload epoch, Instant now) {
        if (entry.length <= CODE_BYTES || entry[0] != VERSION) {
            return Optional.empty();
        }
        byte[] content = Arrays.copyOf(entry, entry.length - CODE_BYTES);
        byte[] code = Arrays.copyOfRange(entry, content.length, entry.length);
        if (!MessageDigest.isEqual(code, code(identity, content))) {
            return Optional.empty();
        }
        try (var in = new DataInputStream(new ByteArrayInputStream(content, 1, content.length - 1))) {
            if (!Arrays.equals(in.readNBytes(EPOCH_BYTES), epoch.bytes())) {
                return Optional.empty();
            }
            var age = Duration.between(Instant.ofEpochMilli(in.readLong()), now);
            var life = Duration.ofMillis(in.readLong());
            boolean fromTheFuture = age.plus(ReplayCacheSettings.LEAST_AGE).isNegative();
            return fromTheFuture || age.compareTo(life) >= 0
                    ? Optional.empty()
                    : Optional.of(read(in, lookup, age.isNegative() ? Duration.ZERO : age));
        } catch (IOException | RuntimeException damaged) {
            // Whole by its code, and yet not ours: without a secret anybody can make that.
            return Optional.empty();
        }
    }

    private static StoredRecord read(DataInputStream in, KeyHash lookup, Duration age) throws IOException {
        long life = in.readLong();
        var lease = Duration.ofMillis(in.readLong()).minus(age);
        var id = new RecordId(readUuid(in));
        long fence = in.readLong();
        var owner = readUuid(in);
        var takeOver = in.readBoolean() ? LeaseExpiryPolicy.HOLD : LeaseExpiryPolicy.RESUME;
        var fingerprint = Fingerprint.stored(in.readUTF(), in.readNBytes(Fingerprint.DIGEST_BYTES));
        var point = in.readBoolean() ? Optional.of(readPoint(in)) : Optional.<RecoveryPoint>empty();
        boolean hasOutcome = in.readBoolean();
        var outcome = Payload.of(in.readAllBytes());
        return new StoredRecord(
                lookup,
                id,
                fence,
                owner,
                RecordState.COMPLETED,
                takeOver,
                Optional.of(fingerprint),
                point,
                lease,
                life == FOR_EVER
                        ? Optional.empty()
                        : Optional.of(Duration.ofMillis(life).minus(age)),
                hasOutcome ? Optional.of(outcome) : Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static RecoveryPoint readPoint(DataInputStream in) throws IOException {
        String name = in.readUTF();
        return in.readBoolean() ? RecoveryPoint.withCallAnnounced(name) : RecoveryPoint.reached(name);
    }

    private static UUID readUuid(DataInputStream in) throws IOException {
        return new UUID(in.readLong(), in.readLong());
    }

    private byte[] code(ScopedKey identity, byte[] content) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            frame(mac, prefix);
            frame(mac, RedisKeys.utf8(identity.scope()));
            frame(mac, RedisKeys.utf8(identity.namespace()));
            frame(mac, RedisKeys.utf8(identity.key()));
            return mac.doFinal(content);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java platform has HMAC-SHA-256.", e);
        }
    }

    /** Adds the length first, so that ("ab", "c") and ("a", "bc") differ. */
    private static void frame(Mac mac, byte[] part) {
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(part.length).flip());
        mac.update(part);
    }
}
