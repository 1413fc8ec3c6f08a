package dev.refrain.observe;

import dev.refrain.api.RecordId;

/** Passes calls to two observers; scopes close in reverse order. */
record CompositeCallObserver(CallObserver first, CallObserver second) implements CallObserver {

    @Override
    public ThreadScope openScope() {
        var outer = first.openScope();
        var inner = second.openScope();
        return () -> {
            inner.close();
            outer.close();
        };
    }

    @Override
    public void onEnd(CallEnd end) {
        second.onEnd(end);
        first.onEnd(end);
    }

    @Override
    public void onReplay(RecordId record) {
        second.onReplay(record);
        first.onReplay(record);
    }

    @Override
    public void onFailure(Throwable failure) {
        second.onFailure(failure);
        first.onFailure(failure);
    }
}
