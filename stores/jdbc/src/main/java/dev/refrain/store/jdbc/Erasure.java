package dev.refrain.store.jdbc;

import dev.refrain.key.Identity;
import dev.refrain.key.Lookup;
import dev.refrain.store.ErasureOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/** Whose records are erased, in the terms of the tables. */
record Erasure(String scope, Optional<String> subject, ErasureOrder order) {

    static final Question<Erasure> ERASE = Question.<Erasure>script("erase")
            .uuid("first", e -> e.anyLookup().firstOfScope().asUuid())
            .uuid("last", e -> e.anyLookup().lastOfScope().asUuid())
            .text("scope", Erasure::scope)
            .text("subject", e -> e.subject().orElse(null))
            .number("limit", e -> e.order().limit())
            .text("target", Erasure::redacted)
            .text("who", e -> e.order().who())
            .text("why", e -> e.order().why());

    private static final int SHOWN = 8;

    static Erasure of(ErasureOrder order) {
        return switch (order.target()) {
            case ErasureOrder.OfScope of -> new Erasure(of.scope(), Optional.empty(), order);
            case ErasureOrder.OfPerson of -> new Erasure(of.scope(), Optional.of(of.subject()), order);
        };
    }

    private Lookup anyLookup() {
        return Identity.anyHashOfScope(scope);
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
