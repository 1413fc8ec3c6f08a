package dev.refrain.http.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;

/** Request that rejects asynchronous processing: work on another thread would run outside the handler's transaction or flow. */
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
                "A handler that is transactional or runs a flow cannot start asynchronous processing: its transaction or flow is bound to this thread. Make the route leased.");
    }
}
