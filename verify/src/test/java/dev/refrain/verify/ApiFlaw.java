package dev.refrain.verify;

import java.util.List;

/** Flaws of real implementations, each with the case that must find it. */
enum ApiFlaw {
    NONE,
    NO_KEYS_AT_ALL("replay-same"),
    COUNT_STANDS_STILL("replay-same"),
    REPLAYS_OTHER_BYTES("replay-same"),
    REPLAYS_AS_200("replay-same"),
    LOSES_LOCATION("replay-headers"),
    TRACING_COUNTS("replay-other-headers"),
    REORDERED_RUNS_AGAIN("replay-json-reordered"),
    SAME_BODY_OTHER_KEY_IS_REPLAYED("two-keys-two-effects"),
    BARE_IS_ANOTHER_KEY("key-quoted-and-bare"),
    RUNS_WITHOUT_KEY("key-missing"),
    EMPTY_IS_A_KEY("key-empty"),
    CUTS_LONG_KEYS("key-long"),
    IGNORES_CAPITALS("key-case"),
    FAILS_ON_MALFORMED("key-malformed"),
    TAKES_CONTROL_BYTES("key-control-bytes"),
    TAKES_FIRST_OF_TWO_KEYS("key-repeated"),
    COMPARES_NOTHING("mismatch-body"),
    OTHER_BODY_RUNS("mismatch-body"),
    MISMATCH_IS_409("mismatch-body"),
    QUERY_IS_NOT_COMPARED("mismatch-query"),
    CHECKS_THEN_SETS("concurrent-one-effect"),
    TWIN_GETS_AN_EMPTY_SUCCESS("concurrent-one-effect"),
    NO_RETRY_AFTER("conflict-says-when"),
    HANG_UP_FREES_THE_KEY("hang-up-while-running"),
    ANSWERS_BEFORE_IT_STORES("hang-up-at-answer"),
    HALF_A_REQUEST_TAKES_THE_KEY("hang-up-while-sending"),
    KEEPS_NO_FAILURES("kept-failure"),
    IGNORES_THE_CALLER("other-caller"),
    NEVER_FORGETS("expiry"),
    FORGETS_TOO_SOON("expiry"),
    REPLAYS_ON_GET("get-with-key"),
    ERRORS_IN_HTML("error-format"),
    PROBLEM_WITHOUT_TYPE("error-format");

    private final List<String> foundBy;

    ApiFlaw(String... foundBy) {
        this.foundBy = List.of(foundBy);
    }

    List<String> foundBy() {
        return foundBy;
    }
}
