package dev.refrain.flow;

import dev.refrain.OperationCall;
import dev.refrain.ValueCodec;
import dev.refrain.api.ClientKey;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.Payload;
import dev.refrain.phase.PhasedClaim;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Call of a flow: scope, key, request and data about the caller. All of it is stored with the key until the flow ends, so that a completer
 * can finish it without the caller. Immutable.
 */
public final class FlowRequest<R> {

    private final ClientKey key;
    private final R request;
    private final Map<String, String> principal;
    private final Optional<String> subject;

    private FlowRequest(ClientKey key, R request, Map<String, String> principal, Optional<String> subject) {
        this.key = Objects.requireNonNull(key, "key: a flow without one cannot be told from its retry");
        this.request = Objects.requireNonNull(request, "request");
        this.principal = Map.copyOf(principal);
        this.subject = subject;
    }

    /** Returns a call with no data about the caller but its scope. */
    public static <R> FlowRequest<R> of(ClientKey key, R request) {
        return new FlowRequest<>(key, request, Map.of(), Optional.empty());
    }

    /** Returns a flow's request for a call that an edge has read. */
    static <R> FlowRequest<R> of(OperationCall call, R request, Map<String, String> principal) {
        return new FlowRequest<>(ClientKey.scope(call.scope()).key(call.key()), request, principal, call.subject());
    }

    /** Returns the same call with data about the caller that phases need; never tokens. */
    public FlowRequest<R> withPrincipal(Map<String, String> caller) {
        return new FlowRequest<>(key, request, caller, subject);
    }

    /** Returns the same call with the person it is about, whose flows, sagas, jobs and ledger entries can be erased. */
    public FlowRequest<R> withSubject(String person) {
        return new FlowRequest<>(key, request, principal, Optional.of(person));
    }

    /** Returns the client's key and its scope. */
    public ClientKey key() {
        return key;
    }

    public R request() {
        return request;
    }

    /** Returns data about the caller. */
    public Map<String, String> principal() {
        return principal;
    }

    /** Returns the person it is about. */
    public Optional<String> subject() {
        return subject;
    }

    OperationCall call() {
        var call = OperationCall.key(key).request(request);
        return subject.map(call::withSubject).orElse(call);
    }

    /** Shows nothing of the request: safe for logs. */
    @Override
    public String toString() {
        return "FlowRequest[…]";
    }

    /**
     * Stored form of a call, with the name and version of the flow that it was made for.
     *
     * @param version the version of the flow
     */
    record StoredRequest(
            String flow,
            int version,
            ClientKey key,
            Map<String, String> principal,
            Payload request,
            Optional<String> subject) {

        private static final int FORMAT = 1;

        static <R> Payload of(FlowRequest<R> asked, String flow, int version, ValueCodec codec) {
            var bytes = new ByteArrayOutputStream();
            try (var out = new DataOutputStream(bytes)) {
                out.writeByte(FORMAT);
                text(out, flow);
                out.writeInt(version);
                text(out, asked.key().scope());
                text(out, asked.key().key());
                out.writeInt(asked.principal().size());
                for (var entry : new TreeMap<>(asked.principal()).entrySet()) {
                    text(out, entry.getKey());
                    text(out, entry.getValue());
                }
                bytes(out, codec.encode(asked.request()));
                // Behind what earlier versions read: they leave it alone.
                if (asked.subject().isPresent()) {
                    text(out, asked.subject().get());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            return Payload.of(bytes.toByteArray());
        }

        /** Reads the request that was stored with the claim. */
        static StoredRequest of(PhasedClaim<?> claim) {
            return read(claim.storedRequest()
                    .orElseThrow(() -> new EffectUnknownException(
                            "Cannot finish the flow: its stored request is gone. Resolve the record by hand.", null)));
        }

        static StoredRequest read(Payload payload) {
            try (var in = new DataInputStream(new ByteArrayInputStream(payload.bytes()))) {
                int format = in.readByte();
                if (format != FORMAT) {
                    throw new IllegalStateException("Cannot read a stored request of format " + format
                            + ": a newer version of Refrain wrote it, and this one reads up to " + FORMAT
                            + ". Upgrade this instance.");
                }
                String flow = text(in);
                int version = in.readInt();
                var key = ClientKey.scope(text(in)).key(text(in));
                var principal = new LinkedHashMap<String, String>();
                for (int left = in.readInt(); left > 0; left--) {
                    principal.put(text(in), text(in));
                }
                var request = Payload.of(bytes(in));
                Optional<String> subject = in.available() > 0 ? Optional.of(text(in)) : Optional.empty();
                return new StoredRequest(flow, version, key, principal, request, subject);
            } catch (IOException e) {
                throw new IllegalStateException("Cannot read a stored request: it is truncated.", e);
            }
        }

        <R> FlowRequest<R> toRequest(Class<R> type, ValueCodec codec) {
            return new FlowRequest<>(key, type.cast(codec.decode(request.bytes(), type)), principal, subject);
        }

        private static void text(DataOutputStream out, String text) throws IOException {
            bytes(out, text.getBytes(StandardCharsets.UTF_8));
        }

        private static String text(DataInputStream in) throws IOException {
            return new String(bytes(in), StandardCharsets.UTF_8);
        }

        private static void bytes(DataOutputStream out, byte[] bytes) throws IOException {
            out.writeInt(bytes.length);
            out.write(bytes);
        }

        private static byte[] bytes(DataInputStream in) throws IOException {
            int length = in.readInt();
            return in.readNBytes(length);
        }
    }
}
