package dev.refrain.store.encryption;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.encryption.PayloadCipher.PayloadKind;
import java.util.Optional;

/** Encrypts what goes to a store and decrypts what comes from it. As thread-safe as {@link PayloadCipher}. */
final class RecordCipher {

    private final PayloadCipher cipher;
    private final FailureReasonCipher reasons;

    RecordCipher(PayloadCipher cipher) {
        this.cipher = cipher;
        this.reasons = new FailureReasonCipher(cipher);
    }

    ClaimRequest encrypt(ClaimRequest request) {
        var encrypted = request.withStoredRequest(encrypt(request.request(), request.lookup(), PayloadKind.REQUEST)
                .orElse(null));
        return request.keptRequest().isEmpty()
                ? encrypted
                : encrypted.withKeptRequest(encrypt(request.keptRequest(), request.lookup(), PayloadKind.KEPT_REQUEST)
                        .orElse(null));
    }

    RecordWrite encrypt(RecordWrite write) {
        var lookup = write.claim().lookup();
        return switch (write) {
            case RecordWrite.Complete complete ->
                new RecordWrite.Complete(
                        complete.claim(),
                        encrypt(complete.outcome(), lookup, PayloadKind.OUTCOME),
                        complete.retention());
            case RecordWrite.Checkpoint point ->
                new RecordWrite.Checkpoint(
                        point.claim(),
                        point.recoveryPoint(),
                        encrypt(point.carried(), lookup, PayloadKind.CARRIED),
                        point.lease());
            case RecordWrite.Release release ->
                new RecordWrite.Release(
                        release.claim(), release.retryDelay(), reasons.encrypt(release.reason(), lookup));
            case RecordWrite.Escalate escalate ->
                new RecordWrite.Escalate(escalate.claim(), reasons.encrypt(escalate.reason(), lookup));
            case RecordWrite.Renew renew -> renew;
        };
    }

    Resolution encrypt(Resolution resolution) {
        return switch (resolution.verdict()) {
            case Resolution.Done done ->
                new Resolution(
                        resolution.claim(),
                        new Resolution.Done(
                                encryptOutcome(
                                        done.outcome(), resolution.claim().lookup()),
                                done.retention()),
                        resolution.who(),
                        resolution.why());
            case Resolution.RunAgain again -> resolution;
            case Resolution.Resume resume -> resolution;
        };
    }

    Optional<Payload> encryptOutcome(Optional<Payload> outcome, KeyHash lookup) {
        return encrypt(outcome, lookup, PayloadKind.OUTCOME);
    }

    private Optional<Payload> encrypt(Optional<Payload> plain, KeyHash lookup, PayloadKind kind) {
        return plain.map(p -> cipher.encrypt(p, lookup, kind));
    }

    ClaimResponse decrypt(ClaimResponse answer) {
        try {
            return switch (answer) {
                case ClaimResponse.Acquired acquired -> new ClaimResponse.Acquired(decrypt(acquired.record()));
                case ClaimResponse.Found found -> new ClaimResponse.Found(decrypt(found.record()));
                case ClaimResponse.LockedByTransaction unseen -> unseen;
                case ClaimResponse.Failed failed -> failed;
            };
        } catch (RowRejectedException unreadable) {
            return new ClaimResponse.Failed(unreadable);
        }
    }

    RecordWriteResponse decrypt(RecordWriteResponse answer) {
        try {
            return switch (answer) {
                case RecordWriteResponse.Written written -> written;
                case RecordWriteResponse.Refused refused ->
                    new RecordWriteResponse.Refused(refused.current().map(this::decrypt));
                case RecordWriteResponse.Failed failed -> failed;
            };
        } catch (RowRejectedException unreadable) {
            return new RecordWriteResponse.Failed(unreadable);
        }
    }

    /** Under another key the same outcome is other bytes: whether it was sent before shows once both are in the clear. */
    RecordWriteResponse decrypt(RecordWrite plain, RecordWriteResponse answer) {
        var readable = decrypt(answer);
        return readable instanceof RecordWriteResponse.Refused refused
                ? RecordWriteResponse.forUnchanged(plain, refused.current().orElse(null))
                : readable;
    }

    Payload decryptKeptRequest(Payload kept, KeyHash lookup) {
        return cipher.decrypt(kept, lookup, PayloadKind.KEPT_REQUEST);
    }

    StoredRecord decrypt(StoredRecord record) {
        return record.withPayloads(
                record.outcome().map(p -> decryptOutcome(p, record.lookup())).orElse(null),
                record.request()
                        .map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.REQUEST))
                        .orElse(null),
                record.carried()
                        .map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.CARRIED))
                        .orElse(null));
    }

    /** The record stays comparable: another request under its key is a mismatch, and the same one is told that it was completed. */
    private Payload decryptOutcome(Payload stored, KeyHash lookup) {
        try {
            return cipher.decrypt(stored, lookup, PayloadKind.OUTCOME);
        } catch (RowRejectedException unreadable) {
            return Payload.unreadable(unreadable);
        }
    }
}
