package dev.refrain.testing;

import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers everything that was observable. */
public final class RecordingListener implements RefrainListener {

    private final List<RefrainEvent> heard = new CopyOnWriteArrayList<>();

    @Override
    public void onEvent(RefrainEvent event) {
        heard.add(event);
    }

    public List<RefrainEvent> all() {
        return List.copyOf(heard);
    }

    public <E extends RefrainEvent> List<E> of(Class<E> kind) {
        return heard.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    public <E extends RefrainEvent> E only(Class<E> kind) {
        var found = of(kind);
        if (found.size() != 1) {
            throw new AssertionError("Expected one " + kind.getSimpleName() + " in " + heard);
        }
        return found.getFirst();
    }

    public <E extends RefrainEvent> E await(Class<E> kind) {
        AwaitCondition.until(() -> !of(kind).isEmpty());
        return of(kind).getFirst();
    }
}
