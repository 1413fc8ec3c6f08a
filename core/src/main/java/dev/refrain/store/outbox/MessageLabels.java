package dev.refrain.store.outbox;

import dev.refrain.internal.key.StorableText;
import java.util.Optional;

/**
 * What a message is found by later: scope and subject for erasure, a reference for its sender. Immutable.
 *
 * @param scope whose message it is: a tenant, an account, a principal
 * @param subject the person it is about; only together with a scope
 * @param reference by which its sender asks what became of it, unique within its topic where that matters
 */
public record MessageLabels(Optional<String> scope, Optional<String> subject, Optional<String> reference) {

    /** No labels. */
    public static final MessageLabels NONE = new MessageLabels(Optional.empty(), Optional.empty(), Optional.empty());

    public MessageLabels {
        scope.ifPresent(text -> StorableText.require("scope of a message", text));
        subject.ifPresent(text -> StorableText.require("subject of a message", text));
        reference.ifPresent(text -> StorableText.require("reference of a message", text));
        if (subject.isPresent() && scope.isEmpty()) {
            throw new IllegalArgumentException("A message about a person needs a scope: persons are known within one.");
        }
    }

    /** Returns labels for a message of a scope. */
    public static MessageLabels ofScope(String scope) {
        return new MessageLabels(Optional.of(scope), Optional.empty(), Optional.empty());
    }

    /** Returns these labels with the person that the message is about. */
    public MessageLabels withSubject(String person) {
        return new MessageLabels(scope, Optional.of(person), reference);
    }

    /** Returns these labels with a reference. */
    public MessageLabels withReference(String name) {
        return new MessageLabels(scope, subject, Optional.of(name));
    }
}
