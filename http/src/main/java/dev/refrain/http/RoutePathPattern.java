package dev.refrain.http;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * Pattern for the paths of a route: literal segments, {@code {name}} or {@code *} for any single segment, and {@code **} at the
 * end for any number of further segments, including none.
 *
 * <p>Matched against the path as sent. Path parameters of a segment ({@code /payments;v=1}) are ignored.
 */
public record RoutePathPattern(String text, List<String> segments, boolean matchesSubpaths) {

    private static final Pattern VARIABLE = Pattern.compile("\\*|\\{[^{}/]+}");

    public static RoutePathPattern of(String text) {
        if (!text.startsWith("/")) {
            throw new IllegalArgumentException("path: '" + text + "' must begin with a slash.");
        }
        var segments = new ArrayList<>(split(text));
        boolean open = !segments.isEmpty() && segments.getLast().equals("**");
        if (open) {
            segments.removeLast();
        }
        for (String segment : segments) {
            boolean plain = segment.indexOf('*') < 0 && segment.indexOf('{') < 0 && segment.indexOf('}') < 0;
            if (!plain && !VARIABLE.matcher(segment).matches()) {
                throw new IllegalArgumentException("path: '" + segment + "' in '" + text
                        + "' must be a literal segment, {name} or *; ** is allowed only at the end.");
            }
        }
        return new RoutePathPattern(text, List.copyOf(segments), open);
    }

    public boolean matches(String path) {
        var given = split(path);
        if (given.size() < segments.size() || (!matchesSubpaths && given.size() > segments.size())) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            String wanted = segments.get(i);
            if (!VARIABLE.matcher(wanted).matches()
                    ? !wanted.equals(bare(given.get(i)))
                    : given.get(i).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Returns true if this pattern matches every path that the other one matches. */
    public boolean covers(RoutePathPattern other) {
        boolean longEnough = matchesSubpaths
                ? other.segments.size() >= segments.size()
                : !other.matchesSubpaths && other.segments.size() == segments.size();
        return longEnough
                && IntStream.range(0, segments.size())
                        .allMatch(i -> isVariable(i) || segments.get(i).equals(other.segments.get(i)));
    }

    /** Returns true if some path matches both patterns. */
    public boolean overlaps(RoutePathPattern other) {
        int shared = Math.min(segments.size(), other.segments.size());
        boolean endTogether = (matchesSubpaths || other.segments.size() <= segments.size())
                && (other.matchesSubpaths || segments.size() <= other.segments.size());
        return endTogether
                && IntStream.range(0, shared)
                        .allMatch(i -> isVariable(i)
                                || other.isVariable(i)
                                || segments.get(i).equals(other.segments.get(i)));
    }

    private boolean isVariable(int segment) {
        return VARIABLE.matcher(segments.get(segment)).matches();
    }

    private static List<String> split(String path) {
        return path.equals("/") ? List.of() : List.of(path.substring(1).split("/", -1));
    }

    private static String bare(String segment) {
        int parameters = segment.indexOf(';');
        return parameters < 0 ? segment : segment.substring(0, parameters);
    }

    @Override
    public String toString() {
        return text;
    }
}
