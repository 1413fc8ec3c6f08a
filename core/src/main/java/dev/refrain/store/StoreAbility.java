package dev.refrain.store;

import dev.refrain.store.ledger.LedgerStore;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Optional parts of a store: what a {@link Store} may do beside what every one must. Each is an interface of its own, found
 * by {@link Store#ability}, with a contract suite of its own.
 *
 * {@snippet :
 * var counter = StoreAbility.require(store, RecordCounter.class, "quota.keys-per-scope");
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
    LEDGER("ledger", LedgerStore.class);

    private final String label;
    private final Class<?> type;

    StoreAbility(String label, Class<?> type) {
        this.label = label;
        this.type = type;
    }

    /** How people and messages call it. */
    public String label() {
        return label;
    }

    /** The interface that {@link Store#ability} is asked for. */
    public Class<?> type() {
        return type;
    }

    /** Tells whether the store has this ability. */
    public boolean isIn(Store store) {
        return store.ability(type).isPresent();
    }

    /** All abilities that the store has. */
    public static Set<StoreAbility> of(Store store) {
        var found = EnumSet.noneOf(StoreAbility.class);
        Arrays.stream(values()).filter(ability -> ability.isIn(store)).forEach(found::add);
        return Collections.unmodifiableSet(found);
    }

    /**
     * Gives the store's ability to a feature that cannot do without it.
     *
     * @param feature what was asked for, as the beginning of a sentence
     * @throws MissingAbilityException if the store does not have it
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
