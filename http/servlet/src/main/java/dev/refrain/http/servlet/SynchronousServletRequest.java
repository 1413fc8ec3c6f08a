package dev.refrain.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** A request that is answered where it began: what goes on elsewhere would go on without its transaction, or its call. */
final class SynchronousServletRequest extends HttpServletRequestWrapper {

    SynchronousServletRequest(HttpServletRequest request) {
        super(request);
    }

    @Override
    public boolean isAsyncSupported() {
        return false;
    }

    @Override
    public AsyncContext startAsync() {
        throw refusal();
    }

    @Override
    public AsyncContext startAsync(ServletRequest asked, ServletResponse answered) {
        throw refusal();
    }

    private static IllegalStateException refusal() {
        return new IllegalStateException(
                "A transactional handler and one that runs a flow answer on the thread they began on; to answer asynchronously make the route leased.");
    }
}
