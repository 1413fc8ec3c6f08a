package dev.refrain.store.redis;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.KeyHash;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Payload;
import dev.refrain.api.Retention;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.Resolution;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/** Calls of the scripts that change one record. */
record RecordScripts(RedisKeys keys) {

    private static final byte[] NONE = new byte[0];

    ScriptCall claim(ClaimRequest request) {
        var identity = request.identity();
        return on(RedisScript.CLAIM, request.lookup(), keys.scope(keys.partitionOf(request.lookup()), identity.scope()))
                .text(RedisKeys.member(request.lookup()))
                .text(request.nonce().toString())
                .micros(request.lease())
                .text(request.leaseExpiryPolicy() == LeaseExpiryPolicy.HOLD ? "H" : "R")
                .text(request.retention()
                        .duration()
                        .map(time -> Long.toString(RedisTimes.micros(time)))
                        .orElse(""))
                .text(identity.scope())
                .text(identity.namespace())
                .text(identity.key())
                .text(request.fingerprint().recipe())
                .bytes(request.fingerprint().digest())
                .optional(request.subject())
                .optionalBytes(request.request().map(Payload::bytes))
                .optionalBytes(request.keptRequest().map(Payload::bytes))
                .text(request.origin().operation())
                .optional(request.origin().caller())
                .optional(request.origin().traceId().map(Object::toString))
                .text(request.origin().instance())
                .text(RedisKeys.scopeHash(identity.scope()))
                .build();
    }

    ScriptCall write(RecordWrite write) {
        return switch (write) {
            case RecordWrite.Complete complete ->
                start(write, "complete")
                        .optionalBytes(complete.outcome().map(Payload::bytes))
                        .text(retention(complete.retention()))
                        .build();
            case RecordWrite.Release release ->
                start(write, "release").text(release.reason()).build();
            case RecordWrite.Escalate escalate ->
                start(write, "escalate").text(escalate.reason()).build();
            case RecordWrite.Checkpoint checkpoint ->
                start(write, "checkpoint")
                        .text(checkpoint.recoveryPoint().name())
                        .text(checkpoint.recoveryPoint().callMayBeSent() ? "1" : "0")
                        .optionalBytes(checkpoint.carried().map(Payload::bytes))
                        .text(checkpoint
                                .lease()
                                .map(time -> Long.toString(RedisTimes.micros(time)))
                                .orElse(""))
                        .build();
            case RecordWrite.Renew renew ->
                start(write, "renew").micros(renew.lease()).build();
        };
    }

    private ScriptCall.Builder start(RecordWrite write, String kind) {
        return named(on(RedisScript.WRITE, write.claim().lookup(), NONE), write.claim())
                .text(kind);
    }

    /**
     * Returns the call that resolves a record.
     *
     * @param ended how its attempt ended, if the record does not say
     */
    ScriptCall resolve(Resolution resolution, String ended) {
        var claim = resolution.claim();
        var verdict = resolution.verdict();
        String action = switch (verdict) {
            case Resolution.Done done -> "resolve: completed";
            case Resolution.RunAgain again -> "resolve: released";
            case Resolution.Resume resume -> "resolve: resumed";
        };
        var call = named(on(RedisScript.RESOLVE, claim.lookup(), keys.trail(keys.partitionOf(claim.lookup()))), claim)
                .text(
                        switch (verdict) {
                            case Resolution.Done done -> "done";
                            case Resolution.RunAgain again -> "again";
                            case Resolution.Resume resume -> "resume";
                        })
                .bytes(line(action, claim.id().toString(), resolution.who(), resolution.why()))
                .text(ended);
        return verdict instanceof Resolution.Done done
                ? call.optionalBytes(done.outcome().map(Payload::bytes))
                        .text(retention(done.retention()))
                        .build()
                : call.optionalBytes(Optional.empty()).text("").build();
    }

    ScriptCall read(KeyHash lookup, boolean withPayloads) {
        return ScriptCall.of(RedisScript.READ, List.of(keys.record(lookup), keys.clock(keys.partitionOf(lookup))))
                .text(withPayloads ? "all" : "explain")
                .build();
    }

    ScriptCall.Builder on(RedisScript script, KeyHash lookup, byte[] lastKey) {
        // A key that a script does not use is still one of its slot.
        return ScriptCall.of(script, keys.ofRecord(lookup, lastKey.length == 0 ? keys.record(lookup) : lastKey));
    }

    /** Returns a line of the audit trail without its time, which the server puts in front. */
    static byte[] line(String action, String target, String who, String why) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            for (String text : new String[] {action, target, who, why}) {
                byte[] utf8 = RedisKeys.utf8(text);
                out.writeInt(utf8.length);
                out.write(utf8);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("Writing to memory cannot fail", e);
        }
        return bytes.toByteArray();
    }

    private static ScriptCall.Builder named(ScriptCall.Builder call, ClaimRef claim) {
        return call.text(RedisKeys.member(claim.lookup()))
                .text(claim.id().toString())
                .number(claim.fence());
    }

    private static String retention(Optional<Retention> retention) {
        return retention
                .map(kept -> kept.duration()
                        .map(time -> Long.toString(RedisTimes.micros(time)))
                        .orElse("forever"))
                .orElse("");
    }
}
