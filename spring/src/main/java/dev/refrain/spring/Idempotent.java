package dev.refrain.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * This handler, or method of any bean, takes effect once for each idempotency key, and a retry is given the same answer.
 *
 * {@snippet :
 * @PostMapping("/payments")
 * @Idempotent
 * @Transactional
 * Payment create(@RequestBody PaymentRequest request) { … }
 * }
 *
 * <p>On a class it holds for all its handlers. What is left out is as {@code refrain.http} says.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /** How the handler runs. */
    enum Mode {
        /**
         * Transactional, if the handler is {@code @Transactional} and the keys are in the same database. Otherwise, and always in
         * WebFlux, the application does not start until one of the others is chosen.
         */
        BY_TRANSACTION,

        /** The handler's writes, the key and the answer commit together. Not in WebFlux, where work moves between threads. */
        TRANSACTIONAL,

        /** The work is elsewhere; after a crash a retry runs it again, under the same derived keys. */
        LEASED_RESUME,

        /** The work is elsewhere; after a crash it waits for someone to find out, and never runs twice. */
        LEASED_HOLD,

        /**
         * The handler runs a flow ({@code Flows.attempt(flow, request)}), which claims the key itself; what the flow answers is the
         * answer. Not in WebFlux.
         */
        FLOW
    }

    /** Its name in metrics and messages; by default the method and path. */
    String operation() default "";

    Mode mode() default Mode.BY_TRANSACTION;

    /**
     * Where a method of any other bean finds its key: an expression over its arguments, such as {@code #order.id}. A handler of
     * HTTP requests has it from the request, and leaves this out.
     */
    String key() default "";

    /** Whose key that is: an expression over the arguments. One for all if it is left out. */
    String scope() default "";

    /** What becomes of an HTTP request without a key: {@code required}, {@code optional}, {@code mint} or {@code observe}. */
    String requirement() default "";

    /** How long the answer is kept, such as {@code 24h} or {@code 7d}; {@code for-ever} for ledgers. */
    String retention() default "";

    /** Which answers are kept: {@code default}, {@code stripe}, {@code square}, {@code success-only} or {@code adyen}. */
    String profile() default "";

    /**
     * What a retry gets while the first one runs: {@code reject}, {@code wait}, {@code wait 5s}; for HTTP also {@code async}.
     */
    String inFlight() default "";

    /** Fields of the body, or of the list of arguments, that may differ in a retry, as JSON pointers. */
    String[] ignoring() default {};
}
