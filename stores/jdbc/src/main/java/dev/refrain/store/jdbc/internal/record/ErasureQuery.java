package dev.refrain.store.jdbc.internal.record;

import dev.refrain.api.KeyHash;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.ErasureRequest;
import dev.refrain.store.jdbc.internal.sql.ParameterizedScript;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Selection of the records to erase, in terms of the tables. */
record ErasureQuery(String scope, Optional<String> subject, ErasureRequest order) {

    static final ParameterizedScript<ErasureQuery> ERASE = ParameterizedScript.<ErasureQuery>script("erase")
            .uuid("first", e -> e.anyLookup().firstOfScope().asUuid())
            .uuid("last", e -> e.anyLookup().lastOfScope().asUuid())
            .text("scope", ErasureQuery::scope)
            .text("subject", e -> e.subject().orElse(null))
            .number("limit", e -> e.order().limit())
            .note("target", ErasureQuery::redacted)
            .note("who", e -> e.order().who())
            .note("why", e -> e.order().why());

    static final ParameterizedScript<ErasureQuery> ERASE_MESSAGES = related("erase_messages");
    static final ParameterizedScript<ErasureQuery> MESSAGES_IN_USE = related("messages_in_use");
    static final ParameterizedScript<ErasureQuery> ERASE_LEDGER_ENTRIES = related("erase_ledger_entries");
    static final ParameterizedScript<ErasureQuery> LEDGER_ENTRIES_IN_USE = related("ledger_entries_in_use");

    private static final int SHOWN = 8;

    private static ParameterizedScript<ErasureQuery> related(String script) {
        return ParameterizedScript.<ErasureQuery>script(script)
                .text("scope", ErasureQuery::scope)
                .text("subject", e -> e.subject().orElse(null))
                .number("limit", e -> e.order().limit());
    }

    static ErasureQuery of(ErasureRequest order) {
        return switch (order.target()) {
            case ErasureRequest.OfScope of -> new ErasureQuery(of.scope(), Optional.empty(), order);
            case ErasureRequest.OfSubject of -> new ErasureQuery(of.scope(), Optional.of(of.subject()), order);
        };
    }

    private KeyHash anyLookup() {
        return ScopedKey.anyHashOfScope(scope);
    }

    /**
     * Returns a hashed description: enough to see that two audit entries concern the same person, not enough to identify them.
     */
    String redacted() {
        String scopeHash = anyLookup().toString().substring(0, SHOWN);
        return subject.map(s -> "person " + personHash(s) + " of scope " + scopeHash)
                .orElse("scope " + scopeHash);
    }

    private String personHash(String person) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            sha.update(scope.getBytes(StandardCharsets.UTF_8));
            sha.update(person.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(sha.digest()).substring(0, SHOWN);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform must offer SHA-256", e);
        }
    }
}
