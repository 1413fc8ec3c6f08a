package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The next thing that an edge has to do for a request. The edge does it in its own way, blocking or not and on whatever thread, tells
 * the step what came of it, and is given the next one; a {@link RequestDecision} is the last. Each step is answered once. Not
 * thread-safe: one request is walked by one thread at a time.
 *
 * <p>The order of the steps is that of {@link RequestWalk}; an edge does not know it.
 */
public sealed interface RequestStep
        permits RequestStep.ResolveScope, RequestStep.ReadBody, RequestStep.AskStore, RequestDecision {

    /** Finds out whose keys the request uses. */
    final class ResolveScope implements RequestStep {

        /** The three answers to the question who sends a request. */
        sealed interface FoundScope {
            record KnownScope(String scope) implements FoundScope {}

            record UnknownScope() implements FoundScope {}

            record UnavailableScope() implements FoundScope {}
        }

        private final Function<FoundScope, RequestStep> next;

        ResolveScope(Function<FoundScope, RequestStep> next) {
            this.next = next;
        }

        /** @param scope of the authenticated caller, never from what a client can forge */
        public RequestStep known(String scope) {
            return next.apply(new FoundScope.KnownScope(scope));
        }

        /** Nobody is known to send it. */
        public RequestStep unknown() {
            return next.apply(new FoundScope.UnknownScope());
        }

        /** It cannot be found out now. */
        public RequestStep unavailable() {
            return next.apply(new FoundScope.UnavailableScope());
        }
    }

    /** Reads the body of the request, within a limit, and keeps it for the handler to read again. */
    final class ReadBody implements RequestStep {

        private final int maxBytes;
        private final Function<Payload, RequestStep> whole;
        private final Supplier<RequestStep> tooLarge;

        ReadBody(int maxBytes, Function<Payload, RequestStep> whole, Supplier<RequestStep> tooLarge) {
            this.maxBytes = maxBytes;
            this.whole = whole;
            this.tooLarge = tooLarge;
        }

        public int maxBytes() {
            return maxBytes;
        }

        /** All of it was read. */
        public RequestStep whole(Payload body) {
            return whole.apply(body);
        }

        /** There is more than {@link #maxBytes}. */
        public RequestStep tooLarge() {
            return tooLarge.get();
        }
    }

    /**
     * Asks the store, which blocks. If that claims the key, its handler must be run and its end be told, even if the client has gone
     * meanwhile.
     */
    final class AskStore implements RequestStep {

        private final Supplier<RequestDecision> question;

        AskStore(Supplier<RequestDecision> question) {
            this.question = question;
        }

        public RequestDecision ask() {
            return question.get();
        }
    }

    /** The translations of an edge that may block the thread of its request. */
    interface BlockingTranslation<X extends Exception> {

        /** Answers by one of the step's methods. */
        RequestStep resolveScope(ResolveScope step) throws X;

        /** Answers by one of the step's methods. */
        RequestStep readBody(ReadBody step) throws X;
    }

    /** Does what is to be done on this thread, step by step, until it is decided what becomes of the request. */
    default <X extends Exception> RequestDecision decide(BlockingTranslation<X> edge) throws X {
        RequestStep step = this;
        while (true) {
            switch (step) {
                case ResolveScope scope -> step = edge.resolveScope(scope);
                case ReadBody body -> step = edge.readBody(body);
                case AskStore store -> step = store.ask();
                case RequestDecision decision -> {
                    return decision;
                }
            }
        }
    }
}
