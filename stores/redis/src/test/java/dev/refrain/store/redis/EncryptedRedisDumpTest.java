package dev.refrain.store.redis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.Refrain;
import dev.refrain.RefrainSettings;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.AnswerHeader;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecoveryPoint;
import dev.refrain.servers.RedisServer;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.encryption.EncryptingStore;
import dev.refrain.store.encryption.EncryptionKeyRing;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** All that a server holds of an encrypted store, after every way to end, shows what docs/encryption.md lists and nothing else. */
class EncryptedRedisDumpTest {

    /** Begins what a store compares or lists. */
    private static final String NAME = "NAMED-";
    /** Begins what is encrypted. */
    private static final String SECRET = "PLANTED-";
    /** Begins all of a person who is erased. */
    private static final String ERASED = "ERASED-";

    private static final String KEY_ID = "KEYRING-id";

    private static final Pattern ENCODED = Pattern.compile("[A-Za-z0-9_+/-]{16,}");

    private static RedisServer server;

    @BeforeAll
    static void startServer() {
        server = RedisServer.start();
    }

    @AfterAll
    static void stopServer() {
        server.close();
    }

    private static OperationCall call(String key) {
        return OperationCall.scope(NAME + "scope")
                .key(NAME + key)
                .request(SECRET + "request")
                .withCaller(NAME + "caller")
                .withSubject(NAME + "subject")
                .withOperationName(NAME + "operation")
                .withKeptRequest(() -> Optional.of(payload("kept request")));
    }

    private static Payload payload(String word) {
        return Payload.of((SECRET + word).getBytes(UTF_8));
    }

    private static Outcome.Answer answer() {
        return new Outcome.Answer(
                201, List.of(new AnswerHeader("X-" + SECRET + "header", SECRET + "value")), payload("answer"));
    }

    private static void runAndFailInEveryWay(Refrain refrain) throws Exception {
        var operation = refrain.operation(NAME + "namespace", String.class)
                .fingerprinter(RequestFingerprinter.builder()
                        .secret(NAME + "fingerprint-key", new byte[32])
                        .build());
        var resumed = operation.leased(LeaseExpiryPolicy.RESUME);
        var other = OperationCall.scope(NAME + "scope").key(NAME + "failed").request(SECRET + "other request");
        resumed.run(call("completed"), claim -> {
            claim.derivedKey(NAME + "step");
            return SECRET + "result";
        });
        assertThatThrownBy(() -> resumed.run(call("failed"), claim -> {
            throw new IllegalStateException(SECRET + "failure", new Exception(SECRET + "cause"));
        }));
        assertThatThrownBy(() -> resumed.run(other, claim -> SECRET + "result"));
        var held = operation.leased(LeaseExpiryPolicy.HOLD);
        assertThatThrownBy(() -> held.run(call("kept"), claim -> {
            throw new IllegalStateException(SECRET + "kept failure", new Exception(SECRET + "its cause"));
        }));
        for (String key : List.of("waiting", "resolved", "released", "revealed")) {
            assertThatThrownBy(() -> held.run(call(key), claim -> {
                claim.derivedKey(NAME + "step");
                throw new EffectUnknownException(SECRET + "doubt", new IllegalStateException(SECRET + "its cause"));
            }));
        }
        var admin = refrain.admin();
        for (var item : admin.listAttention(100)) {
            if (item.identity().key().equals(NAME + "resolved")) {
                assertThat(admin.resolve(item.claim(), answer(), NAME + "who", NAME + "why"))
                        .isTrue();
            } else if (item.identity().key().equals(NAME + "released")) {
                assertThat(admin.release(item.claim(), NAME + "who", NAME + "why"))
                        .isTrue();
            } else if (item.identity().key().equals(NAME + "revealed")) {
                assertThat(admin.revealKeptRequest(item, NAME + "who", NAME + "why"))
                        .isPresent();
            }
        }
        refrain.operation(NAME + "raw").leased(LeaseExpiryPolicy.HOLD).run(call("answered"), claim -> answer());
        erase(refrain);
    }

    private static void erase(Refrain refrain) throws Exception {
        var person = OperationCall.scope(NAME + "scope")
                .key(ERASED + "key")
                .request(ERASED + "request")
                .withCaller(ERASED + "caller")
                .withSubject(ERASED + "subject");
        var operation = refrain.operation(NAME + "erased", String.class).leased(LeaseExpiryPolicy.RESUME);
        assertThatThrownBy(() -> operation.run(person, claim -> {
            throw new IllegalStateException(ERASED + "failure");
        }));
        operation.run(person, claim -> ERASED + "result");
        var subject = new ErasureRequest.OfSubject(NAME + "scope", ERASED + "subject");
        assertThat(refrain.admin().erase(subject, NAME + "who", NAME + "why").erased())
                .isEqualTo(1);
    }

    /** Nothing of Refrain's own does so on a store without transactions, but the store can. */
    private static void checkpoint(EncryptingStore store) {
        var request = SampleClaims.request(NAME + "checkpoint").withStoredRequest(payload("stored request"));
        var claimed = (ClaimResponse.Acquired) store.claim(List.of(request)).getFirst();
        store.write(List.of(new RecordWrite.Checkpoint(
                claimed.record().claim(),
                RecoveryPoint.reached(NAME + "point"),
                Optional.of(payload("carried")),
                Optional.empty())));
    }

    /** Returns every value with the place where it is; an attempt's number and a partition do not matter. */
    private static List<Map.Entry<String, String>> dump() {
        var client = RedisClient.create(server.url());
        try (var connection = client.connect(new StringCodec(ISO_8859_1))) {
            var commands = connection.sync();
            return commands.keys("*").stream()
                    .flatMap(key -> values(commands, key).stream())
                    .toList();
        } finally {
            client.shutdown();
        }
    }

    private static List<Map.Entry<String, String>> values(RedisCommands<String, String> commands, String key) {
        String place = key.replaceFirst("^(\\{[^}]*}|refrain):", "").replaceFirst(":.*$", "");
        return switch (commands.type(key)) {
            case "hash" ->
                commands.hgetall(key).entrySet().stream()
                        .map(field -> Map.entry(field.getKey().replaceFirst(":.*$", ""), field.getValue()))
                        .toList();
            case "set" ->
                commands.smembers(key).stream()
                        .map(member -> Map.entry(place, member))
                        .toList();
            case "zset" ->
                commands.zrange(key, 0, -1).stream()
                        .map(member -> Map.entry(place, member))
                        .toList();
            case "list" ->
                commands.lrange(key, 0, -1).stream()
                        .map(line -> Map.entry(place, line))
                        .toList();
            default -> List.of(Map.entry(place, key + commands.get(key)));
        };
    }

    /** Returns a text and, behind it, what its parts say if they are base64. */
    private static String withDecoded(String text) {
        var decoded = new StringBuilder(text);
        ENCODED.matcher(text)
                .results()
                .map(found -> found.group().substring(0, found.group().length() / 4 * 4))
                .map(token -> token.replace('+', '-').replace('/', '_'))
                .map(token -> new String(Base64.getUrlDecoder().decode(token), ISO_8859_1))
                .forEach(said -> decoded.append('\n').append(said));
        return decoded.toString();
    }

    private static String placesWith(List<Map.Entry<String, String>> dump, String word) {
        return dump.stream()
                .filter(value -> withDecoded(value.getValue()).contains(word))
                .map(value -> "`" + value.getKey() + "`")
                .collect(Collectors.toCollection(TreeSet::new))
                .stream()
                .collect(Collectors.joining(", "));
    }

    @Test
    void dumpOfAnEncryptedStoreShowsOnlyWhatTheDocsList() throws Exception {
        try (var inner = RedisStore.at(server.url())) {
            var store = EncryptingStore.around(inner, EncryptionKeyRing.of(KEY_ID, new byte[32]));
            try (var refrain = Refrain.using(store, RefrainSettings.defaults().instanceName(NAME + "instance"))) {
                runAndFailInEveryWay(refrain);
                checkpoint(store);
                var dump = dump();

                assertThat(placesWith(dump, SECRET)).isEmpty();
                assertThat(placesWith(dump, ERASED)).isEmpty();
                assertThat(Files.readString(Path.of("../../docs/encryption.md")))
                        .contains("these words are in " + placesWith(dump, NAME) + ",")
                        .contains("that id in " + placesWith(dump, KEY_ID) + ".");
            }
        }
    }
}
