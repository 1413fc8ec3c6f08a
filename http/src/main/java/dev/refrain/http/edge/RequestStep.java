package dev.refrain.http.edge;

import dev.refrain.api.Payload;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Next step that an edge has to take for a request. The edge takes it in its own way (blocking or not, on any thread), passes the
 * result to the step and receives the next one; a {@link RequestDecision} is the last. Each step accepts one result. Not
 * thread-safe: one thread at a time handles a request.
 *
 * <p>{@link RequestWalk} determines the order of the steps; an edge does not know it.
 */
public sealed interface RequestStep
        permits RequestStep.ResolveScope, RequestStep.ReadBody, RequestStep.AskStore, RequestDecision {

    /** Resolves the scope of the request's keys. */
    final class ResolveScope implements RequestStep {

        /** Result of resolving a scope: known, unknown or unavailable. */
        sealed interface FoundScope {
            record KnownScope(String scope, Optional<String> caller) implements FoundScope {}

            record UnknownScope() implements FoundScope {}

            record UnavailableScope() implements FoundScope {}
        }

        private final Function<FoundScope, RequestStep> next;

        ResolveScope(Function<FoundScope, RequestStep> next) {
            this.next = next;
        }

        /**
         * Continues with the caller's scope.
         *
         * @param scope the scope of the authenticated caller, never anything that a client can forge
         */
        public RequestStep known(String scope) {
            return next.apply(new FoundScope.KnownScope(scope, Optional.empty()));
        }

        /**
         * Continues with the caller's scope and its name, where that says more: one of the users of a tenant.
         *
         * @param caller who sends the request; only shown to people who look at its record
         */
        public RequestStep known(String scope, String caller) {
            return next.apply(new FoundScope.KnownScope(scope, Optional.of(caller)));
        }

        /** Continues without a known caller. */
        public RequestStep unknown() {
            return next.apply(new FoundScope.UnknownScope());
        }

        /** Continues when the caller cannot be determined now. */
        public RequestStep unavailable() {
            return next.apply(new FoundScope.UnavailableScope());
        }
    }

    /** Reads the request body up to a limit and buffers it for the handler. */
    final class ReadBody implements RequestStep {

        private final int maxBytes;
        private final BufferReservation memory;
        private final Function<Payload, RequestStep> whole;
        private final Supplier<RequestStep> tooLarge;
        private final Supplier<RequestStep> noMemory;

        ReadBody(
                int maxBytes,
                BufferReservation memory,
                Function<Payload, RequestStep> whole,
                Supplier<RequestStep> tooLarge,
                Supplier<RequestStep> noMemory) {
            this.maxBytes = maxBytes;
            this.memory = memory;
            this.whole = whole;
            this.tooLarge = tooLarge;
            this.noMemory = noMemory;
        }

        public int maxBytes() {
            return maxBytes;
        }

        /** Returns the memory of the exchange, in which the edge reserves what it is about to read. */
        public BufferReservation memory() {
            return memory;
        }

        /** Continues with the complete body. */
        public RequestStep whole(Payload body) {
            return whole.apply(body);
        }

        /** Continues when the body is larger than {@link #maxBytes}. */
        public RequestStep tooLarge() {
            return tooLarge.get();
        }

        /** Continues when there is no memory for the body. */
        public RequestStep noMemory() {
            return noMemory.get();
        }
    }

    /**
     * Queries the store, which blocks. If this claims the key, the edge must run the handler and report its end even if the
     * client has disconnected.
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

    /** Callbacks of an edge that may block the request's thread. */
    interface BlockingTranslation<X extends Exception> {

        /** Resolves the scope and returns the result of one of the step's methods. */
        RequestStep resolveScope(ResolveScope step) throws X;

        /** Reads the body and returns the result of one of the step's methods. */
        RequestStep readBody(ReadBody step) throws X;
    }

    /** Takes all steps on this thread until the request is decided. */
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
