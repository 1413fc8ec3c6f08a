package dev.refrain.store.contract;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGenerator;

/** Displays {@code lateCompletionIsRefused} as "late completion is refused". */
final class SentenceDisplayNameGenerator extends DisplayNameGenerator.Standard {

    private static final Pattern WORD_BEGINS = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])");

    @Override
    public String generateDisplayNameForMethod(
            List<Class<?>> enclosingInstanceTypes, Class<?> testClass, Method testMethod) {
        return WORD_BEGINS.matcher(testMethod.getName()).replaceAll(" ").toLowerCase(Locale.ROOT);
    }
}
