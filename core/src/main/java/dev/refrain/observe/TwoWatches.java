package dev.refrain.observe;

import dev.refrain.key.RecordId;
import java.util.Optional;

/** Two that follow the same call. What the second began ends first. */
record TwoWatches(Watch first, Watch second) implements Watch {

    @Override
    public Here here() {
        var outer = first.here();
        var inner = second.here();
        return () -> {
            inner.close();
            outer.close();
        };
    }

    @Override
    public void ended(End end, Optional<RecordId> record) {
        second.ended(end, record);
        first.ended(end, record);
    }

    @Override
    public void failed(Throwable failure) {
        second.failed(failure);
        first.failed(failure);
    }
}
