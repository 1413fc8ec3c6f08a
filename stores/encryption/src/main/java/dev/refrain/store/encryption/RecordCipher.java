package dev.refrain.store.encryption;

import dev.refrain.api.KeyHash;
import dev.refrain.api.Payload;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.StoredRecord;
import dev.refrain.store.WriteResponse;
import dev.refrain.store.encryption.PayloadCipher.PayloadKind;
import java.util.Optional;

/** Encrypts what goes to a store and decrypts what comes from it. As thread-safe as {@link PayloadCipher}. */
final class RecordCipher {

    private final PayloadCipher cipher;

    RecordCipher(PayloadCipher cipher) {
        this.cipher = cipher;
    }

    ClaimRequest encrypt(ClaimRequest request) {
        return request.withStoredRequest(encrypt(request.request(), request.lookup(), PayloadKind.REQUEST));
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
            case RecordWrite.Release release -> release;
            case RecordWrite.Escalate escalate -> escalate;
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

    WriteResponse decrypt(WriteResponse answer) {
        try {
            return switch (answer) {
                case WriteResponse.Written written -> written;
                case WriteResponse.Refused refused ->
                    new WriteResponse.Refused(refused.current().map(this::decrypt));
                case WriteResponse.Failed failed -> failed;
            };
        } catch (RowRejectedException unreadable) {
            return new WriteResponse.Failed(unreadable);
        }
    }

    /** Under another key the same outcome is other bytes: whether it was sent before shows once both are in the clear. */
    WriteResponse decrypt(RecordWrite plain, WriteResponse answer) {
        var readable = decrypt(answer);
        return readable instanceof WriteResponse.Refused refused
                ? WriteResponse.forUnchanged(plain, refused.current())
                : readable;
    }

    StoredRecord decrypt(StoredRecord record) {
        return record.withPayloads(
                record.outcome().map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.OUTCOME)),
                record.request().map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.REQUEST)),
                record.carried().map(p -> cipher.decrypt(p, record.lookup(), PayloadKind.CARRIED)));
    }
}
