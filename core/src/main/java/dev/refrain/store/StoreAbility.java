package dev.refrain.store;

import dev.refrain.store.ledger.ReconciliationStore;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Optional parts of a store. Each is a separate interface, found by {@link Store#ability}, with its own contract suite.
 * {@snippet :
 * var counter = StoreAbility.require(store, RecordCounter.class, "max-keys-per-scope");
 * }
 */
public enum StoreAbility {
    COMPLETION("completion", CompletionQueue.class),
    ERASURE("erasure", RecordEraser.class),
    AUDIT_TRAIL("audit trail", AuditTrailReader.class),
    COUNTS("counts", RecordCounter.class),
    BROWSING("browsing", RecordBrowser.class),
    TRANSACTIONS("transactions", StoreTransactionFactory.class),
    OUTBOX("outbox", OutboxStore.class),
    OUTBOX_BROWSING("outbox browsing", OutboxBrowser.class),
    LEDGER("ledger", ReconciliationStore.class),
    WAKEUPS("wake-ups", WakeupChannel.class),
    KEPT_REQUESTS("kept requests", KeptRequestReader.class),
    ENCRYPTION_MARKS("encryption marks", EncryptionMarks.class);

    private final String label;
    private final Class<?> type;

    StoreAbility(String label, Class<?> type) {
        this.label = label;
        this.type = type;
    }

    /** Returns the name in messages and documentation. */
    public String label() {
        return label;
    }

    /** Returns the interface to pass to {@link Store#ability}. */
    public Class<?> type() {
        return type;
    }

    /** Returns true if the store has this ability. */
    public boolean isIn(Store store) {
        return store.ability(type).isPresent();
    }

    /** Returns all abilities of the store. */
    public static Set<StoreAbility> of(Store store) {
        var found = EnumSet.noneOf(StoreAbility.class);
        Arrays.stream(values()).filter(ability -> ability.isIn(store)).forEach(found::add);
        return Collections.unmodifiableSet(found);
    }

    /**
     * Returns an ability that a feature cannot do without.
     *
     * @param feature the feature, as the beginning of a sentence
     * @throws MissingAbilityException if the store does not have the ability
     */
    public static <A> A require(Store store, Class<A> type, String feature) {
        return store.ability(type)
                .orElseThrow(() -> new MissingAbilityException(
                        feature, labelOf(type), store.traits().name()));
    }

    private static String labelOf(Class<?> type) {
        return Arrays.stream(values())
                .filter(ability -> ability.type.equals(type))
                .map(ability -> ability.label)
                .findFirst()
                .orElse(type.getSimpleName());
    }
}
