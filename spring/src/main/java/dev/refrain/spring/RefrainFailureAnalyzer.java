package dev.refrain.spring;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports what Refrain refused at startup: what is wrong and what to do, without a stack trace. */
final class RefrainFailureAnalyzer extends AbstractFailureAnalyzer<RefrainStartException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RefrainStartException refused) {
        return new FailureAnalysis(refused.description(), refused.action(), refused);
    }
}
