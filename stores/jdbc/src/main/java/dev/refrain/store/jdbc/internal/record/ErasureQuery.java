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

/** Whose records are erased, in the terms of the tables. */
record ErasureQuery(String scope, Optional<String> subject, ErasureRequest order) {

    static final ParameterizedScript<ErasureQuery> ERASE = ParameterizedScript.<ErasureQuery>script("erase")
            .uuid("first", e -> e.anyLookup().firstOfScope().asUuid())
            .uuid("last", e -> e.anyLookup().lastOfScope().asUuid())
            .text("scope", ErasureQuery::scope)
            .text("subject", e -> e.subject().orElse(null))
            .number("limit", e -> e.order().limit())
            .text("target", ErasureQuery::redacted)
            .text("who", e -> e.order().who())
            .text("why", e -> e.order().why());

    private static final int SHOWN = 8;

    static ErasureQuery of(ErasureRequest order) {
        return switch (order.target()) {
            case ErasureRequest.OfScope of -> new ErasureQuery(of.scope(), Optional.empty(), order);
            case ErasureRequest.OfSubject of -> new ErasureQuery(of.scope(), Optional.of(of.subject()), order);
        };
    }

    private KeyHash anyLookup() {
        return ScopedKey.anyHashOfScope(scope);
    }

    /** Enough to see that two entries concern the same one, not enough to say who it is. */
    private String redacted() {
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
