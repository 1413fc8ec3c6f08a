package dev.refrain.verify;
/** References to the specifications behind the cases. */
final class SpecReferences {

    private static final String DRAFT = "draft-ietf-httpapi-idempotency-key-header-07 §";

    static final String SYNTAX = DRAFT + "2.1; RFC 9651 §3.3.3";
    static final String UNIQUENESS = DRAFT + "2.2";
    static final String EXPIRY = DRAFT + "2.3";
    static final String FINGERPRINT = DRAFT + "2.4, §2.7";
    static final String ENFORCEMENT = DRAFT + "2.6";
    static final String ERRORS = DRAFT + "2.7";
    static final String PROBLEMS = ERRORS + "; RFC 9457 §3";
    static final String FIELDS = "RFC 9110 §5.1, §5.5; " + SYNTAX;
    static final String SAFE_METHODS = "RFC 9110 §9.2.1; " + DRAFT + "1";
    static final String SCOPE = DRAFT + "5 (security considerations)";
    static final String RETRY_AFTER = ERRORS + "; RFC 9110 §10.2.3";

    private SpecReferences() {}
}
