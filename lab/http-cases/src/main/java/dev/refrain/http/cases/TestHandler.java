package dev.refrain.http.cases;
/** Handler behind an edge. */
@FunctionalInterface
public interface TestHandler {
    TestHandlerResponse handle(TestHandlerRequest asked) throws Exception;
}
