package dev.refrain.http.client;
/** Held by one sender of this process at a time. */
class MemoryRequestStoreTest extends PendingRequestStoreContract {

    private final PendingRequestStore intents = PendingRequestStore.inMemory();

    @Override
    PendingRequestStore intents() {
        return intents;
    }
}
