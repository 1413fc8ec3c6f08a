package dev.refrain.http.servlet;

import dev.refrain.api.Outcome;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.EdgeResponse;
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
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Leased handler running in a servlet container, on one thread or on several in turn. */
final class LeasedServletExchange {

    /** Request attribute that carries the exchange through asynchronous dispatches. */
    static final String ATTRIBUTE = LeasedServletExchange.class.getName();

    private final LeasedExchange exchange;
    private final CapturedServletResponse response;
    private final AsyncCapableRequest request;
    private final ErrorResponseWriter errors;
    private final BufferReservation memory;

    /**
     * True once the handler has started asynchronous processing in this dispatch; the container may have reset its own flag by
     * then.
     */
    private volatile boolean later;

    private volatile boolean timedOut;

    /** Asynchronous processing that the handler started last. */
    private volatile @Nullable AsyncCycle cycle;

    /** Error that ends the connection of a partly sent response, so that the client does not take it for complete. */
    private volatile @Nullable IOException brokenOff;

    private LeasedServletExchange(
            LeasedExchange exchange,
            HttpServletRequest request,
            CapturedServletResponse response,
            ErrorResponseWriter errors,
            BufferReservation memory) {
        this.exchange = exchange;
        this.response = response;
        this.errors = errors;
        this.memory = memory;
        this.request = new AsyncCapableRequest(request);
        request.setAttribute(ATTRIBUTE, this);
    }

    static LeasedServletExchange of(
            LeasedExchange exchange,
            HttpServletRequest request,
            HttpServletResponse response,
            ErrorResponseWriter errors,
            BufferReservation memory) {
        request.setAttribute(RefrainFilter.CLAIM, exchange.claim());
        exchange.extraHeaders().forEach(header -> response.setHeader(header.name(), header.value()));
        var captured = new CapturedServletResponse(
                response,
                exchange.policy().replay().maxOutcomeBytes(),
                ResponseBodyBuffer.OverflowPolicy.PASS,
                memory,
                exchange.claim()::keepStateOnly);
        var running = new LeasedServletExchange(exchange, request, captured, errors, memory);
        exchange.answerAtMaxRunTime(running::answerEarly);
        return running;
    }

    /**
     * Answers the client of an asynchronous handler that still runs, and ends its request. The container reuses the response then,
     * so what the handler writes later is dropped, and its lease decides about the key. The response of a handler that occupies the
     * request's own thread belongs to that thread: its client is not answered.
     */
    private void answerEarly(EdgeResponse reply) {
        var waiting = cycle;
        if (waiting == null || !waiting.answerEarly(response::detach)) {
            return;
        }
        try {
            response.sendDetached(reply);
        } catch (IOException gone) {
            // The client has disconnected.
        } finally {
            waiting.context.complete();
        }
    }

    /** One round of asynchronous processing, ended by its handler or by an early response, never by both. */
    private static final class AsyncCycle {
        private final AsyncContext context;
        private final ReentrantLock lock = new ReentrantLock();
        private boolean endedByHandler;
        private boolean answeredEarly;

        AsyncCycle(AsyncContext context) {
            this.context = context;
        }

        /** Returns false if the client was answered early, so that there is nothing left to complete or to dispatch. */
        boolean endByHandler() {
            lock.lock();
            try {
                endedByHandler |= !answeredEarly;
                return !answeredEarly;
            } finally {
                lock.unlock();
            }
        }

        /** Returns true if the client may be answered early: the handler has not ended the round, and the response can be detached. */
        boolean answerEarly(BooleanSupplier detach) {
            lock.lock();
            try {
                answeredEarly = !endedByHandler && detach.getAsBoolean();
                return answeredEarly;
            } finally {
                lock.unlock();
            }
        }
    }

    /** Runs the handler. */
    void run(FilterChain chain) throws IOException, ServletException {
        run(chain, request, response);
    }

    /** Runs the part of the handler after an asynchronous dispatch, with the request and response that the container passes. */
    void run(FilterChain chain, ServletRequest asked, ServletResponse answered) throws IOException, ServletException {
        if (brokenOff != null) {
            throw brokenOff;
        }
        later = false;
        try {
            exchange.<Exception>runPart(() -> chain.doFilter(asked, answered));
        } catch (Throwable failure) {
            if (later && !exchange.hasEnded()) {
                // Asynchronous work that the handler started goes on.
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
     * Reports the handler's exception, and rethrows it to the container on {@link ResponseDecision.RethrownFailure}. Also
     * rethrows it if a part of the response was sent: the client then sees the connection end and does not take the part for
     * complete.
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

    /** Stores the handler's response, then sends it. */
    private void finish() throws IOException, ServletException {
        var error = response.error();
        if (error.isPresent()) {
            if (!exchange.wouldStore(new Outcome.Answer(
                    error.get().status(), List.of(), response.answer().body()))) {
                switch (ended(response.answer())) {
                    case ResponseDecision.HandlerResponse own -> response.sendError(error.get());
                    case ResponseDecision.ReplacementResponse instead -> response.sendInstead(instead.reply());
                    case ResponseDecision.RethrownFailure thrown ->
                        throw new IllegalStateException(
                                "The handler threw nothing, so there is no exception to rethrow.");
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
            case ResponseDecision.RethrownFailure thrown ->
                throw new IllegalStateException("The handler threw nothing, so there is no exception to rethrow.");
        }
    }

    private ResponseDecision ended(Outcome.Answer answer) {
        return timedOut ? exchange.completeAfterTimeout(answer) : exchange.complete(answer);
    }

    /** Request for the handler: allows asynchronous processing, but no response before its outcome is stored. */
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

        /** Null without asynchronous processing if the wrapped request says so; a container's request throws instead, Spring's mock does not. */
        @Override
        public @Nullable AsyncContext getAsyncContext() {
            @Nullable AsyncContext context = super.getAsyncContext();
            if (context == null) {
                return null;
            }
            var begun = cycle;
            return new StoreFirstAsyncContext(begun == null ? new AsyncCycle(context) : begun);
        }

        private AsyncContext held(AsyncContext context) {
            later = true;
            context.addListener(new AbandonedRequestListener());
            ReservationListener.closeAtEnd(memory, context);
            var begun = new AsyncCycle(context);
            cycle = begun;
            return new StoreFirstAsyncContext(begun);
        }
    }

    /**
     * Ends the exchange when the container ends an unanswered request, for example after a time-out. The handler's work may still
     * be running.
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
     * Asynchronous context that stores the outcome before it completes the request. If the stored outcome differs from a partly
     * sent response, it dispatches the request once more, because only a dispatch can end the connection early.
     */
    private final class StoreFirstAsyncContext implements AsyncContext {
        private final AsyncCycle cycle;
        private final AsyncContext context;

        StoreFirstAsyncContext(AsyncCycle cycle) {
            this.cycle = cycle;
            this.context = cycle.context;
        }

        /** Does nothing if the client was answered at the maximum run time. */
        @Override
        public void complete() {
            if (!cycle.endByHandler()) {
                return;
            }
            try {
                if (!exchange.hasEnded()) {
                    finish();
                }
            } catch (IOException | ServletException notSent) {
                // The outcome is stored. A client that is still connected sees the connection end and retries.
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
            if (cycle.endByHandler()) {
                context.dispatch();
            }
        }

        @Override
        public void dispatch(String path) {
            if (cycle.endByHandler()) {
                context.dispatch(path);
            }
        }

        @Override
        public void dispatch(jakarta.servlet.ServletContext servlets, String path) {
            if (cycle.endByHandler()) {
                context.dispatch(servlets, path);
            }
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
