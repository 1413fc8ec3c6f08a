package dev.refrain.http.internal.settings;

import dev.refrain.http.OutcomeProfile;

/** Profile of stored responses, as a word of the settings. */
public enum ProfileSetting {
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

    public OutcomeProfile profile() {
        return switch (this) {
            case DEFAULT -> OutcomeProfile.DEFAULT;
            case STRIPE -> OutcomeProfile.STRIPE;
            case SQUARE -> OutcomeProfile.SQUARE;
            case SUCCESS_ONLY -> OutcomeProfile.SUCCESS_ONLY;
            case ADYEN -> OutcomeProfile.ADYEN;
        };
    }

    /** Returns the word in settings. */
    @Override
    public String toString() {
        return SettingParser.word(this);
    }
}
