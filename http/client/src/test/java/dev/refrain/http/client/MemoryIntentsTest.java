package dev.refrain.http.client;

/** Held by one sender of this process at a time. */
class MemoryIntentsTest extends IntentsContract {

    private final Intents intents = Intents.inMemory();

    @Override
    Intents intents() {
        return intents;
    }
}
