package dev.refrain.store.contract;

import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordCounter;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.RowRejectedException;
import dev.refrain.store.Store;
import dev.refrain.store.UnfinishedRecord;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Wrong about abilities, and about elements that fail alone. */
final class AbilityFlaws {

    private AbilityFlaws() {}

    static final List<StoreFlaw> ALL = List.of(
            StoreFlaw.of("hides that it counts", HidesCounts::new, "storeHasTheAbilitiesWhoseSuitesItsTestLists"),
            StoreFlaw.of(
                    "pretends that it can be browsed",
                    PretendsToBrowse::new,
                    "storeHasTheAbilitiesWhoseSuitesItsTestLists"),
            StoreFlaw.of(
                    "lists unfinished work of others",
                    ListsEverybodys::new,
                    "endedForeignOrRequestlessRecordIsNotListedAsUnfinished"),
            StoreFlaw.of(
                    "lists the newest unfinished work first",
                    ListsNewestFirst::new,
                    "unfinishedFlowsAreListedOldestFirstWithWhereTheyStand"),
            StoreFlaw.of(
                    "lists the oldest decisions first",
                    TrailBackwards::new,
                    "everyResolutionIsAuditedNewestFirstWithWhoAndWhy"),
            StoreFlaw.of(
                    "lists all decisions however few are asked for",
                    TrailWithoutLimit::new,
                    "everyResolutionIsAuditedNewestFirstWithWhoAndWhy",
                    "entrySaysWhenByTheStoresClockAndIsNoOlderThanWhatFollows"),
            StoreFlaw.of("writes what it says has failed", WritesWhatFailed::new, "writeThatCannotBeStoredFailsAlone"));

    private static final class HidesCounts extends FlawedStore {
        HidesCounts(Store sound) {
            super(sound);
        }

        @Override
        public <A> Optional<A> ability(Class<A> type) {
            return type.equals(RecordCounter.class) ? Optional.empty() : super.ability(type);
        }
    }

    private static final class PretendsToBrowse extends FlawedStore {
        PretendsToBrowse(Store sound) {
            super(sound);
        }

        @Override
        public <A> Optional<A> ability(Class<A> type) {
            return type.equals(RecordBrowser.class)
                    ? Optional.of(type.cast(Proxy.newProxyInstance(
                            type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> null)))
                    : super.ability(type);
        }
    }

    private static final class ListsEverybodys extends FlawedStore {
        ListsEverybodys(Store sound) {
            super(sound);
        }

        @Override
        public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
            return super.listUnfinished(StoreTestData.NAMESPACE, longerThan, limit);
        }
    }

    private static final class ListsNewestFirst extends FlawedStore {
        ListsNewestFirst(Store sound) {
            super(sound);
        }

        @Override
        public List<UnfinishedRecord> listUnfinished(String namespace, Duration longerThan, int limit) {
            return super.listUnfinished(namespace, longerThan, limit).reversed();
        }
    }

    private static final class TrailBackwards extends FlawedStore {
        TrailBackwards(Store sound) {
            super(sound);
        }

        @Override
        public List<AuditEntry> listAuditTrail(int limit) {
            return super.listAuditTrail(Integer.MAX_VALUE).reversed().stream()
                    .limit(limit)
                    .toList();
        }
    }

    private static final class TrailWithoutLimit extends FlawedStore {
        TrailWithoutLimit(Store sound) {
            super(sound);
        }

        @Override
        public List<AuditEntry> listAuditTrail(int limit) {
            return super.listAuditTrail(Integer.MAX_VALUE);
        }
    }

    private static final class WritesWhatFailed extends FlawedStore {
        WritesWhatFailed(Store sound) {
            super(sound);
        }

        @Override
        RecordWriteResponse writeOne(RecordWrite write) {
            var answer = super.writeOne(write);
            return write instanceof RecordWrite.Escalate escalate
                            && escalate.reason().indexOf('\0') >= 0
                    ? new RecordWriteResponse.Failed(RowRejectedException.badData("NUL", null))
                    : answer;
        }
    }
}
