package dev.refrain.http.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Intents of this process alone. Thread-safe. */
final class MemoryRequestStore implements PendingRequestStore {

    private final Map<String, PendingRequest> all = new HashMap<>();
    private final Set<String> held = new HashSet<>();

    @Override
    public synchronized Optional<PendingRequestLock> save(PendingRequest intent) {
        boolean isNew = all.putIfAbsent(intent.key(), intent) == null;
        return hold(intent.key(), isNew);
    }

    @Override
    public synchronized Optional<PendingRequestLock> acquire(String key) {
        return hold(key, false);
    }

    private Optional<PendingRequestLock> hold(String key, boolean isNew) {
        return Optional.ofNullable(all.get(key))
                .filter(there -> held.add(key))
                .map(there -> new MemoryRequestLock(there, isNew));
    }

    @Override
    public synchronized List<PendingRequest> pending() {
        var free = new ArrayList<>(all.values());
        free.removeIf(intent -> held.contains(intent.key()));
        free.sort(Comparator.comparing(PendingRequest::firstSent));
        return free;
    }

    private synchronized void forget(String key) {
        all.remove(key);
    }

    private synchronized void free(String key) {
        held.remove(key);
    }

    private final class MemoryRequestLock implements PendingRequestLock {

        private final PendingRequest intent;
        private final boolean isNew;

        private MemoryRequestLock(PendingRequest intent, boolean isNew) {
            this.intent = intent;
            this.isNew = isNew;
        }

        @Override
        public PendingRequest request() {
            return intent;
        }

        @Override
        public boolean isNew() {
            return isNew;
        }

        @Override
        public void complete() {
            forget(intent.key());
        }

        @Override
        public void close() {
            free(intent.key());
        }
    }
}
