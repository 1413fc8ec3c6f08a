package dev.refrain.http.cases;

/** What stands behind an edge. */
@FunctionalInterface
public interface Handler {
    Given handle(Asked asked) throws Exception;
}
