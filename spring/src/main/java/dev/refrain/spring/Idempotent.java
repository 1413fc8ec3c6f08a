package dev.refrain.spring;

import dev.refrain.http.OutcomeProfile;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a handler, or a method of any bean, take effect once per idempotency key; a retry gets the same response.
 * {@snippet :
 *
 * @PostMapping("/payments")
 * @Idempotent
 * @Transactional
 * Payment create(@RequestBody PaymentRequest request) { … }
 * }
 *
 * <p>On a class it applies to all its handlers. Attributes that are not set default to {@code refrain.http}.
 */
@Documented
@Target({ElementType.METHOD, ElementType.TYPE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Idempotent {

    /** Mode in which the handler runs. */
    enum Mode {
        /**
         * Transactional, if the handler is {@code @Transactional} and the keys are in the same database. Otherwise, and always in
         * WebFlux, the application fails to start until another mode is chosen.
         */
        BY_TRANSACTION,

        /**
         * The handler's writes, the key and the response commit in one transaction. Not available in WebFlux, where work moves
         * between threads.
         */
        TRANSACTIONAL,

        /** For work outside the keys' database: after a crash a retry runs it again, under the same derived keys. */
        LEASED_RESUME,

        /** For work outside the keys' database: after a crash the key needs attention, and the work never runs twice. */
        LEASED_HOLD,

        /**
         * The handler runs a flow ({@code FlowRunner.runForCurrentCall(flow, request)}); the flow claims the key itself, and its result becomes
         * the response. Not available in WebFlux.
         */
        FLOW
    }

    /** Handling of an HTTP request without a key. */
    enum Requirement {
        /** Uses {@code refrain.http.key-requirement}. */
        AS_CONFIGURED,

        /** Rejects it. */
        REQUIRED,

        /** Runs it unprotected. */
        OPTIONAL,

        /** Generates a key and returns it with the response. */
        MINT,

        /** Runs every request, with or without a key, and only counts what would have been rejected or replayed. */
        OBSERVE
    }

    /** Rules for which responses are stored and replayed. */
    enum Profile {
        /** Uses {@code refrain.http.profile}. */
        AS_CONFIGURED,

        /** Stores final responses: below 500, except 408, 409, 425 and 429. */
        DEFAULT,

        /** Stores every response once the handler has started, including a 500. */
        STRIPE,

        /** Stores responses with 2xx and 4xx. */
        SQUARE,

        /** Stores responses with 2xx. */
        SUCCESS_ONLY,

        /** Stores every response unless its {@code Transient-Error} header is {@code true}. */
        ADYEN;

        /** Returns the rules of this profile. */
        public OutcomeProfile outcomeProfile() {
            return switch (this) {
                case AS_CONFIGURED, DEFAULT -> OutcomeProfile.DEFAULT;
                case STRIPE -> OutcomeProfile.STRIPE;
                case SQUARE -> OutcomeProfile.SQUARE;
                case SUCCESS_ONLY -> OutcomeProfile.SUCCESS_ONLY;
                case ADYEN -> OutcomeProfile.ADYEN;
            };
        }
    }

    /** Rule for keeping the request of a leased handler, for the person who has to decide about its record. */
    enum KeepRequest {
        /** Uses {@code refrain.http.keep-request}. */
        AS_CONFIGURED,

        /** Never keeps it. */
        NEVER,

        /** Keeps it where the store encrypts and the handler is leased with hold. */
        ENCRYPTED,

        /** Keeps it for every leased handler, in the clear where the store does not encrypt. */
        ALWAYS
    }

    /** Operation name in metrics and messages; by default the method and path. */
    String operation() default "";

    Mode mode() default Mode.BY_TRANSACTION;

    /**
     * Name of the store that holds the keys, as in {@code refrain.stores}; by default the store without a name. A namespace has one
     * store: methods with the same {@link #operation} name the same one, and so do HTTP handlers, unless their stores have HTTP namespaces
     * of their own.
     */
    String store() default "";

    /** Rejects a store that cannot guarantee every invariant, such as Redis: the application then fails to start. */
    boolean requireCorrectStore() default false;

    /**
     * SpEL expression that yields the key of a bean method, such as {@code #order.id}. Leave it out for HTTP handlers, whose key
     * comes from the request.
     */
    String key() default "";

    /**
     * SpEL expression that yields the scope of a bean method's key, such as {@code #order.tenant} or {@code @tenants.current()}. By default
     * all calls share one scope, which is warned of at start unless {@code refrain.scope} is {@code shared}.
     */
    String scope() default "";

    /** Handling of HTTP requests without a key. */
    Requirement keyRequirement() default Requirement.AS_CONFIGURED;

    /** Retention of the response, such as {@code 24h} or {@code 7d}; {@code for-ever} for ledgers. */
    String retention() default "";

    /** Profile that decides which responses are stored and replayed. */
    Profile profile() default Profile.AS_CONFIGURED;

    /**
     * Handling of a retry while the first request runs: {@code reject}, {@code wait}, {@code wait 5s}; for HTTP also {@code
     * async}.
     */
    String inFlight() default "";

    /** JSON pointers to fields of the body, or of the argument list, that may differ in a retry. */
    String[] ignoredFields() default {};

    /** Rule for keeping the HTTP request until its record is settled. */
    KeepRequest keepRequest() default KeepRequest.AS_CONFIGURED;

    /** JSON pointers to fields of the HTTP body that are not kept; {@code *} stands for every element or member. */
    String[] redactedFields() default {};
}
