package dev.refrain.internal.fingerprint;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Recipe of a fingerprint, and its text as stored with each record:
 *
 * <pre>
 * recipe   = version [";hmac=" key-id] [";max=" bytes] ( *(";-" pointer) / *(";+" pointer) )
 * 1                              everything, plain SHA-256
 * 1;hmac=k2                      HMAC with secret k2
 * 1;-/requestedAt;-/meta/trace   all but these fields
 * 1;max=65536;+/amount           only this field; JSON and forms of more than 64 KiB by their bytes
 * </pre>
 *
 * Pointers are sorted; everything in them but visible ASCII, and also {@code ;} and {@code %}, is percent-encoded. All
 * settings that change a digest must be part of it; otherwise an instance with other settings would reject a genuine retry.
 */
public record FingerprintRecipe(
        Optional<String> secretId, int maxCanonicalBytes, FieldSelection selection, String text) {

    public static final String VERSION = "1";
    public static final int DEFAULT_MAX_CANONICAL_BYTES = 1 << 20;
    public static final int MOST_CANONICAL_BYTES = 1 << 30;

    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern LIMIT = Pattern.compile("[1-9][0-9]{0,9}");
    private static final String HMAC = "hmac=";
    private static final String MAX = "max=";

    public static FingerprintRecipe of(Optional<String> secretId, int maxCanonicalBytes, FieldSelection selection) {
        var text = new StringBuilder(VERSION);
        secretId.ifPresent(id -> text.append(';').append(HMAC).append(id));
        if (maxCanonicalBytes != DEFAULT_MAX_CANONICAL_BYTES) {
            text.append(';').append(MAX).append(maxCanonicalBytes);
        }
        switch (selection) {
            case FieldSelection.Everything all -> {}
            case FieldSelection.Excluding but -> append(text, '-', but.pointers());
            case FieldSelection.Only only -> append(text, '+', only.pointers());
        }
        return new FingerprintRecipe(secretId, maxCanonicalBytes, selection, text.toString());
    }

    /** Parses the recipe of a record; empty if it is not one of version 1 in its exact spelling. */
    public static Optional<FingerprintRecipe> parse(String text) {
        String[] items = text.split(";", -1);
        if (!items[0].equals(VERSION)) {
            return Optional.empty();
        }
        Optional<String> secretId = Optional.empty();
        int max = DEFAULT_MAX_CANONICAL_BYTES;
        var excluded = new ArrayList<JsonPointer>();
        var selected = new ArrayList<JsonPointer>();
        try {
            for (String item : List.of(items).subList(1, items.length)) {
                if (item.startsWith(HMAC)) {
                    secretId = Optional.of(item.substring(HMAC.length())).filter(FingerprintRecipe::isKeyId);
                } else if (item.startsWith(MAX)) {
                    max = limit(item.substring(MAX.length()));
                } else {
                    (item.startsWith("-") ? excluded : selected).add(JsonPointer.parse(unescaped(item.substring(1))));
                }
            }
        } catch (IllegalArgumentException | IndexOutOfBoundsException notOurs) {
            return Optional.empty();
        }
        FieldSelection selection = excluded.isEmpty()
                ? selected.isEmpty() ? new FieldSelection.Everything() : FieldSelection.Only.of(selected)
                : FieldSelection.Excluding.of(excluded);
        // Each recipe has one spelling: any other was not written by us.
        return Optional.of(of(secretId, max, selection)).filter(recipe -> recipe.text.equals(text));
    }

    public static boolean isKeyId(String id) {
        return KEY_ID.matcher(id).matches();
    }

    public static boolean isLimit(int maxCanonicalBytes) {
        return maxCanonicalBytes >= 1 && maxCanonicalBytes <= MOST_CANONICAL_BYTES;
    }

    private static int limit(String digits) {
        if (!LIMIT.matcher(digits).matches() || !isLimit(Integer.parseInt(digits))) {
            throw new IllegalArgumentException("not a limit: " + digits);
        }
        return Integer.parseInt(digits);
    }

    private static void append(StringBuilder text, char sign, List<JsonPointer> pointers) {
        pointers.stream().sorted().forEach(pointer -> {
            text.append(';').append(sign);
            for (byte b : pointer.text().getBytes(StandardCharsets.UTF_8)) {
                if (b > 0x20 && b < 0x7F && b != ';' && b != '%') {
                    text.append((char) b);
                } else {
                    text.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
                }
            }
        });
    }

    private static String unescaped(String escaped) {
        var bytes = new ByteArrayOutputStream(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            if (escaped.charAt(i) == '%') {
                bytes.write(HexFormat.fromHexDigits(escaped, i + 1, i + 3));
                i += 2;
            } else {
                bytes.write(escaped.charAt(i));
            }
        }
        return bytes.toString(StandardCharsets.UTF_8);
    }

    @Override
    public String toString() {
        return text;
    }
}
