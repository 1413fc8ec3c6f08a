package dev.refrain.spring;

import dev.refrain.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports why a store that the application builds itself could not be opened. */
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable rootFailure, StoreException failure) {
        var bean = creationOf(rootFailure);
        if (findCause(rootFailure, RefrainStartException.class) != null || bean == null) {
            return null;
        }
        var explained = StoreStartFailure.explain(String.valueOf(bean.getBeanName()), failure);
        return new FailureAnalysis(explained.description(), explained.action(), failure);
    }

    /** Returns the creation that failed, not that of the beans that needed it. */
    private static @Nullable BeanCreationException creationOf(Throwable failure) {
        BeanCreationException innermost = null;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            innermost = cause instanceof BeanCreationException creation ? creation : innermost;
        }
        return innermost;
    }
}
