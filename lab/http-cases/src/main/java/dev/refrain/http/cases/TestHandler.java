package dev.refrain.http.cases;
/** What stands behind an edge. */
@FunctionalInterface
public interface TestHandler {
    TestHandlerResponse handle(TestHandlerRequest asked) throws Exception;
}
