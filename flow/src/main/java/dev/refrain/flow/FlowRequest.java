package dev.refrain.flow;

import dev.refrain.OperationCall;
import dev.refrain.ValueCodec;
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
import java.util.TreeMap;

/**
 * Call of a flow: scope, key, request and data about the caller. All of it is stored with the key until the flow ends, so that a completer
 * can finish it without the caller.
 *
 * @param scope whose keys these are: a tenant, an account, a principal
 * @param key minted by the client, one for each intent
 * @param principal data about the caller that phases need; never tokens
 */
public record FlowRequest<R>(String scope, String key, R request, Map<String, String> principal) {

    public FlowRequest {
        Objects.requireNonNull(scope, "scope: use \"\" if there is only one");
        Objects.requireNonNull(key, "key: a flow without one cannot be told from its retry");
        Objects.requireNonNull(request, "request");
        principal = Map.copyOf(principal);
    }

    /** Returns a call with no data about the caller but its scope. */
    public static <R> FlowRequest<R> of(String scope, String key, R request) {
        return new FlowRequest<>(scope, key, request, Map.of());
    }

    /** Returns the same call with data about the caller. */
    public FlowRequest<R> withPrincipal(Map<String, String> caller) {
        return new FlowRequest<>(scope, key, request, caller);
    }

    OperationCall call() {
        return OperationCall.scope(scope).key(key).request(request);
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
            String flow, int version, String scope, String key, Map<String, String> principal, Payload request) {

        private static final int FORMAT = 1;

        static <R> Payload of(FlowRequest<R> asked, String flow, int version, ValueCodec codec) {
            var bytes = new ByteArrayOutputStream();
            try (var out = new DataOutputStream(bytes)) {
                out.writeByte(FORMAT);
                text(out, flow);
                out.writeInt(version);
                text(out, asked.scope());
                text(out, asked.key());
                out.writeInt(asked.principal().size());
                for (var entry : new TreeMap<>(asked.principal()).entrySet()) {
                    text(out, entry.getKey());
                    text(out, entry.getValue());
                }
                bytes(out, codec.encode(asked.request()));
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
                String scope = text(in);
                String key = text(in);
                var principal = new LinkedHashMap<String, String>();
                for (int left = in.readInt(); left > 0; left--) {
                    principal.put(text(in), text(in));
                }
                return new StoredRequest(flow, version, scope, key, principal, Payload.of(bytes(in)));
            } catch (IOException e) {
                throw new IllegalStateException("Cannot read a stored request: it is truncated.", e);
            }
        }

        <R> FlowRequest<R> asked(Class<R> type, ValueCodec codec) {
            return new FlowRequest<>(scope, key, type.cast(codec.decode(request.bytes(), type)), principal);
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
