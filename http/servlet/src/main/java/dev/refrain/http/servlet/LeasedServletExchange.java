package dev.refrain.http.servlet;

import dev.refrain.api.Outcome;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.ResponseDecision;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A leased handler under way in a servlet container: on one thread, or on several one after the other. */
final class LeasedServletExchange {

    /** Where a request carries its exchange through asynchronous dispatches. */
    static final String ATTRIBUTE = LeasedServletExchange.class.getName();

    private final LeasedExchange exchange;
    private final CapturedServletResponse response;
    private final AsyncCapableRequest request;
    private final ErrorResponseWriter errors;

    /** Whether the handler left this dispatch to answer later. The container may have forgotten by the time it is asked. */
    private volatile boolean later;

    private volatile boolean timedOut;

    /** Why an answer that has begun to pass is not to be ended as if it were whole. */
    private volatile @Nullable IOException brokenOff;

    private LeasedServletExchange(
            LeasedExchange exchange,
            HttpServletRequest request,
            CapturedServletResponse response,
            ErrorResponseWriter errors) {
        this.exchange = exchange;
        this.response = response;
        this.errors = errors;
        this.request = new AsyncCapableRequest(request);
        request.setAttribute(ATTRIBUTE, this);
    }

    static LeasedServletExchange of(
            LeasedExchange exchange,
            HttpServletRequest request,
            HttpServletResponse response,
            ErrorResponseWriter errors) {
        request.setAttribute(RefrainFilter.CLAIM, exchange.claim());
        exchange.extraHeaders().forEach(header -> response.setHeader(header.name(), header.value()));
        var captured = new CapturedServletResponse(
                response,
                exchange.policy().replay().maxBytes(),
                ResponseBodyBuffer.OverflowPolicy.PASS,
                exchange.claim()::keepStateOnly);
        return new LeasedServletExchange(exchange, request, captured, errors);
    }

    /** Runs the handler. */
    void run(FilterChain chain) throws IOException, ServletException {
        run(chain, request, response);
    }

    /** Runs the part of the handler that follows an asynchronous dispatch, on the container's own view of the request. */
    void run(FilterChain chain, ServletRequest asked, ServletResponse answered) throws IOException, ServletException {
        if (brokenOff != null) {
            throw brokenOff;
        }
        later = false;
        try {
            exchange.<Exception>runPart(() -> chain.doFilter(asked, answered));
        } catch (Throwable failure) {
            if (later && !exchange.hasEnded()) {
                // What it began elsewhere goes on.
                exchange.abandon();
            }
            failed(failure);
            return;
        }
        if (!later) {
            finish();
        }
    }

    /**
     * What the handler threw; {@link ResponseDecision.RethrownFailure} goes on to the container. So does a failure in the middle of an answer that has begun
     * to pass: the client then sees its connection end, and does not take a part for the whole.
     */
    private void failed(Throwable failure) throws IOException, ServletException {
        if (!exchange.hasEnded()
                && exchange.fail(failure) instanceof ResponseDecision.ReplacementResponse instead
                && !response.passed()) {
            response.sendInstead(instead.reply());
            return;
        }
        response.discard();
        switch (failure) {
            case IOException e -> throw e;
            case ServletException e -> throw e;
            case RuntimeException e -> throw e;
            case Error e -> throw e;
            default -> throw new ServletException(failure);
        }
    }

    /** The handler has answered: stored first, sent then. */
    private void finish() throws IOException, ServletException {
        var error = response.error();
        if (error.isPresent()) {
            if (!exchange.wouldStore(new Outcome.Answer(
                    error.get().status(), List.of(), response.answer().body()))) {
                switch (ended(response.answer())) {
                    case ResponseDecision.HandlerResponse own -> response.sendError(error.get());
                    case ResponseDecision.ReplacementResponse instead -> response.sendInstead(instead.reply());
                    case ResponseDecision.RethrownFailure thrown ->
                        throw new IllegalStateException("Nothing was thrown.");
                }
                return;
            }
            try {
                errors.write(
                        request,
                        response.reopened(),
                        error.get().status(),
                        error.get().message());
            } catch (IOException | ServletException | RuntimeException | Error failure) {
                failed(failure);
                return;
            }
        }
        switch (ended(response.answer())) {
            case ResponseDecision.HandlerResponse own -> response.send();
            case ResponseDecision.ReplacementResponse instead -> response.sendInstead(instead.reply());
            case ResponseDecision.RethrownFailure thrown -> throw new IllegalStateException("Nothing was thrown.");
        }
    }

    private ResponseDecision ended(Outcome.Answer answer) {
        return timedOut ? exchange.completeAfterTimeout(answer) : exchange.complete(answer);
    }

    /** The request as the handler sees it: to go on asynchronously is possible, to answer before it is stored is not. */
    private final class AsyncCapableRequest extends HttpServletRequestWrapper {
        AsyncCapableRequest(HttpServletRequest request) {
            super(request);
        }

        @Override
        public AsyncContext startAsync() {
            return held(super.startAsync(this, response));
        }

        @Override
        public AsyncContext startAsync(ServletRequest asked, ServletResponse answered) {
            return held(super.startAsync(asked, answered));
        }

        @Override
        public AsyncContext getAsyncContext() {
            return new StoreFirstAsyncContext(super.getAsyncContext());
        }

        private AsyncContext held(AsyncContext context) {
            later = true;
            context.addListener(new AbandonedRequestListener());
            return new StoreFirstAsyncContext(context);
        }
    }

    /**
     * Ends the exchange when the container ends a request that nobody answered, after a time-out for example. Its work may still go
     * on.
     */
    private final class AbandonedRequestListener implements AsyncListener {
        @Override
        public void onComplete(AsyncEvent event) {
            if (!exchange.hasEnded()) {
                exchange.abandon();
            }
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            timedOut = true;
        }

        @Override
        public void onError(AsyncEvent event) {}

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }

    /**
     * To complete means to answer, and that is stored first. If what is stored is not what the client has begun to read, the request is
     * dispatched once more, because only there its connection can be made to end before the answer does.
     */
    private final class StoreFirstAsyncContext implements AsyncContext {
        private final AsyncContext context;

        StoreFirstAsyncContext(AsyncContext context) {
            this.context = context;
        }

        @Override
        public void complete() {
            try {
                if (!exchange.hasEnded()) {
                    finish();
                }
            } catch (IOException | ServletException notSent) {
                // It is stored; the client, if it is still there, sees the connection end and asks again.
                if (response.passed()) {
                    brokenOff = new IOException(notSent);
                }
            } finally {
                if (brokenOff == null) {
                    context.complete();
                } else {
                    context.dispatch();
                }
            }
        }

        @Override
        public void start(Runnable work) {
            context.start(() -> exchange.runPart(work::run));
        }

        @Override
        public ServletRequest getRequest() {
            return context.getRequest();
        }

        @Override
        public ServletResponse getResponse() {
            return context.getResponse();
        }

        @Override
        public boolean hasOriginalRequestAndResponse() {
            return context.hasOriginalRequestAndResponse();
        }

        @Override
        public void dispatch() {
            context.dispatch();
        }

        @Override
        public void dispatch(String path) {
            context.dispatch(path);
        }

        @Override
        public void dispatch(jakarta.servlet.ServletContext servlets, String path) {
            context.dispatch(servlets, path);
        }

        @Override
        public void addListener(AsyncListener listener) {
            context.addListener(listener);
        }

        @Override
        public void addListener(AsyncListener listener, ServletRequest asked, ServletResponse answered) {
            context.addListener(listener, asked, answered);
        }

        @Override
        public <T extends AsyncListener> T createListener(Class<T> type) throws ServletException {
            return context.createListener(type);
        }

        @Override
        public void setTimeout(long milliseconds) {
            context.setTimeout(milliseconds);
        }

        @Override
        public long getTimeout() {
            return context.getTimeout();
        }
    }
}
