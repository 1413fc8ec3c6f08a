package dev.refrain.http.client;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Store that keeps pending requests in memory. Thread-safe. */
final class MemoryRequestStore implements PendingRequestStore {

    private final Map<String, PendingRequest> requests = new HashMap<>();
    private final Set<String> locked = new HashSet<>();

    @Override
    public synchronized Optional<PendingRequestLock> save(PendingRequest intent) {
        boolean isNew = requests.putIfAbsent(intent.key(), intent) == null;
        return lock(intent.key(), isNew);
    }

    @Override
    public synchronized Optional<PendingRequestLock> acquire(String key) {
        return lock(key, false);
    }

    private Optional<PendingRequestLock> lock(String key, boolean isNew) {
        return Optional.ofNullable(requests.get(key))
                .filter(request -> locked.add(key))
                .map(request -> new MemoryRequestLock(request, isNew));
    }

    @Override
    public synchronized List<PendingRequest> pending() {
        var unlocked = new ArrayList<>(requests.values());
        unlocked.removeIf(intent -> locked.contains(intent.key()));
        unlocked.sort(Comparator.comparing(PendingRequest::firstSent));
        return unlocked;
    }

    private synchronized void remove(String key) {
        requests.remove(key);
    }

    private synchronized void unlock(String key) {
        locked.remove(key);
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
            remove(intent.key());
        }

        @Override
        public void close() {
            unlock(intent.key());
        }
    }
}
