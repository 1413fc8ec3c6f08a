package dev.refrain.testing;

import dev.refrain.observe.Event;
import dev.refrain.observe.Listener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers everything that was observable. */
public final class Events implements Listener {

    private final List<Event> heard = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(Event event) {
        heard.add(event);
    }

    public List<Event> all() {
        return List.copyOf(heard);
    }

    public <E extends Event> List<E> of(Class<E> kind) {
        return heard.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <E extends Event> E only(Class<E> kind) {
        var found = of(kind);
        if (found.size() != 1) {
            throw new AssertionError("Expected one " + kind.getSimpleName() + " in " + heard);
        }
        return found.getFirst();
    }

    public <E extends Event> E await(Class<E> kind) {
        Until.until(() -> !of(kind).isEmpty());
        return of(kind).getFirst();
    }
}
