package dev.refrain.spring.summary;

import dev.refrain.spring.RefrainProperties;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Finds environment variables that look like settings of Refrain and are none. Spring Boot refuses an unknown name in a file and ignores one in
 * the environment, where a misspelled {@code REFRAIN_ENCRYPTION_KEYS} would leave everything in the clear.
 */
final class EnvironmentVariableCheck {

    private static final String PREFIX = "REFRAIN_";

    /** Variables of the command line, which may run in the same environment. */
    private static final Set<String> OF_COMMAND_LINE = Set.of(
            "REFRAIN_CLI_STORE",
            "REFRAIN_STORE_USER",
            "REFRAIN_STORE_PASSWORD",
            "REFRAIN_JAVA_HOME",
            "REFRAIN_JAVA_OPTS",
            "REFRAIN_DEBUG");

    /** Variables that Kubernetes sets for a service whose name begins with "refrain". */
    private static final Pattern OF_KUBERNETES = Pattern.compile(".*_(SERVICE_HOST|SERVICE_PORT.*|PORT|PORT_\\d+_.*)");

    private static final Pattern INDEX = Pattern.compile("\\d*");

    private EnvironmentVariableCheck() {}

    /** Returns a warning for each such variable. Their values are not shown: they may be secrets. */
    static List<String> warnings(Collection<String> variables) {
        return variables.stream()
                .filter(name -> name.startsWith(PREFIX))
                .filter(name -> !OF_COMMAND_LINE.contains(name)
                        && !OF_KUBERNETES.matcher(name).matches())
                .filter(name -> !isSetting(RefrainProperties.class, letters(name.substring(PREFIX.length()))))
                .sorted()
                .map(
                        name -> "The environment variable " + name
                                + " is no setting of Refrain and has no effect. Correct its name, or remove it; docs/http.md lists all settings.")
                .toList();
    }

    /** Underscores stand for dots and dashes alike, or are left out. */
    private static String letters(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }

    private static boolean isSetting(Type type, String rest) {
        if (type instanceof Class<?> settings && settings.isRecord()) {
            return Arrays.stream(settings.getRecordComponents()).anyMatch(component -> isSettingOf(component, rest));
        }
        if (type instanceof ParameterizedType map && map.getRawType() == Map.class) {
            return IntStream.range(1, rest.length() + 1)
                    .anyMatch(end -> isSetting(map.getActualTypeArguments()[1], rest.substring(end)));
        }
        return INDEX.matcher(rest).matches();
    }

    private static boolean isSettingOf(RecordComponent component, String rest) {
        String name = component.getName().toLowerCase(Locale.ROOT);
        return rest.startsWith(name) && isSetting(component.getGenericType(), rest.substring(name.length()));
    }
}
