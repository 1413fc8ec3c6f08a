package dev.refrain.store.jdbc;

import dev.refrain.api.KeyHash;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.Store;
import dev.refrain.store.StoreTransaction;
import dev.refrain.store.StoreTransactionFactory;
import dev.refrain.store.WakeupChannel;
import dev.refrain.store.WakeupChannel.RecordWatch;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** Wrong about wake-ups. */
@SuppressWarnings("unchecked")
final class WakeupFlaws {

    private WakeupFlaws() {}

    static final List<AbilityFlaw> ALL = List.of(
            AbilityFlaw.of(
                    "wakes when a record is watched and never again",
                    WakeupChannel.class,
                    "openWatch",
                    (sound, arguments) -> sound.openWatch(once((Consumer<KeyHash>) arguments[0])),
                    "completionByAnotherInstanceWakesWhoeverWatchesTheRecord",
                    "releaseByAnotherInstanceWakesWhoeverWatchesTheRecord"),
            AbilityFlaw.of(
                    "misses what happened before a record was watched",
                    WakeupChannel.class,
                    "openWatch",
                    (sound, arguments) -> sound.openWatch(notAtFirst((Consumer<KeyHash>) arguments[0])),
                    "completionBeforeTheRecordWasWatchedIsNotMissed"),
            AbilityFlaw.of(
                    "goes on waking for what nobody watches",
                    WakeupChannel.class,
                    "openWatch",
                    (sound, arguments) -> AbilityFlaw.instead(
                            RecordWatch.class,
                            sound.openWatch((Consumer<KeyHash>) arguments[0]),
                            "unwatch",
                            (watch, lookup) -> null),
                    "recordThatIsNoLongerWatchedIsNotWokenFor"),
            AbilityFlaw.of(
                    "watches on after it is closed",
                    WakeupChannel.class,
                    "openWatch",
                    (sound, arguments) -> AbilityFlaw.instead(
                            RecordWatch.class,
                            sound.openWatch((Consumer<KeyHash>) arguments[0]),
                            "close",
                            (watch, nothing) -> null),
                    "watchThatIsClosedWakesNobodyAndCanBeClosedTwice"),
            new AbilityFlaw(
                    "wakes nobody for what a transaction commits",
                    withoutWakeupsOfTransactions(),
                    List.of("completionThatATransactionCommitsWakesWhoeverWatchesTheRecord")));

    /** Notes the records that transactions claim, on all handles, and drops the wake-ups for them. */
    private static UnaryOperator<Store> withoutWakeupsOfTransactions() {
        Set<KeyHash> written = ConcurrentHashMap.newKeySet();
        var noting = AbilityFlaw.of(
                "begins transactions that are noted",
                StoreTransactionFactory.class,
                "begin",
                (sound, arguments) -> AbilityFlaw.instead(
                        StoreTransaction.class, sound.begin(), "tryClaim", (transaction, request) -> {
                            written.add(((ClaimRequest) request[0]).lookup());
                            return transaction.tryClaim((ClaimRequest) request[0]);
                        }));
        var deaf = AbilityFlaw.of(
                "drops what was noted",
                WakeupChannel.class,
                "openWatch",
                (sound, arguments) -> sound.openWatch(lookup -> {
                    if (!written.contains(lookup)) {
                        ((Consumer<KeyHash>) arguments[0]).accept(lookup);
                    }
                }));
        return store -> deaf.in().apply(noting.in().apply(store));
    }

    private static Consumer<KeyHash> once(Consumer<KeyHash> changed) {
        Set<KeyHash> woken = ConcurrentHashMap.newKeySet();
        return lookup -> {
            if (woken.add(lookup)) {
                changed.accept(lookup);
            }
        };
    }

    private static Consumer<KeyHash> notAtFirst(Consumer<KeyHash> changed) {
        Set<KeyHash> passed = ConcurrentHashMap.newKeySet();
        return lookup -> {
            if (!passed.add(lookup)) {
                changed.accept(lookup);
            }
        };
    }
}
