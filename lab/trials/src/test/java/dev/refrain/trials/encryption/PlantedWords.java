package dev.refrain.trials.encryption;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Distinctive words for everything that can be given to a store.
 *
 * <p>Words of {@link #secret} are contents: requests, results, messages, exceptions. Words of {@link #name} are what the store compares or lists.
 * Words of {@link #erased} are both, of records that are erased in the end. {@link #KEY_ID} names the encryption key. Thread-safe.
 */
final class PlantedWords {

    static final String NAME = "NAMED-";
    static final String KEY_ID = "KEYRING-id";
    static final String ERASED = "ERASED-";
    static final String SCOPE = name("scope");
    static final String WHO = name("who");
    static final String WHY = name("why");

    private final List<String> secrets = Collections.synchronizedList(new ArrayList<>());

    static String name(String what) {
        return NAME + what.replace(' ', '-');
    }

    static String erased(String what) {
        return ERASED + what.replace(' ', '-');
    }

    String secret(String what) {
        String word = "PLANTED-" + what.replace(' ', '-') + "-" + secrets.size() + "-WORD";
        secrets.add(word);
        return word;
    }

    List<String> secrets() {
        return List.copyOf(secrets);
    }
}
