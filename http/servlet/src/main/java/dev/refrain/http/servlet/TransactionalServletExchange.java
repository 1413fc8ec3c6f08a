package dev.refrain.http.servlet;

import dev.refrain.api.Claim;
import dev.refrain.api.Outcome;
import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.EdgeResponse;
import dev.refrain.http.edge.ResponseDecision;
import dev.refrain.http.edge.TransactionalExchange;
import dev.refrain.store.WorkRolledBackException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Runs a handler inside a transaction, on one thread. Nothing is sent before the commit, and nothing of the handler's response if
 * the commit fails.
 */
final class TransactionalServletExchange {

    private final TransactionalExchange transacted;
    private final HttpServletRequest request;
    private final HttpServletResponse real;
    private final ErrorResponseWriter errors;
    private final BufferReservation memory;
    private @Nullable CapturedServletResponse response;
    private CapturedServletResponse.@Nullable SentError unkept;
    private Outcome.@Nullable Answer keptFailure;

    TransactionalServletExchange(
            TransactionalExchange transacted,
            HttpServletRequest request,
            HttpServletResponse real,
            ErrorResponseWriter errors,
            BufferReservation memory) {
        this.transacted = transacted;
        this.request = request;
        this.real = real;
        this.errors = errors;
        this.memory = memory;
    }

    void run(FilterChain chain) throws IOException, ServletException {
        transacted.headers().forEach(header -> real.setHeader(header.name(), header.value()));
        try {
            send(transacted.<Exception>run(claim -> handle(claim, chain)));
        } catch (IOException | ServletException | RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new ServletException(thrown);
        } finally {
            discard();
        }
    }

    private void send(ResponseDecision ending) throws IOException {
        var answered = response;
        if (ending instanceof ResponseDecision.ReplacementResponse instead) {
            memory.count(instead.reply().body().size());
            if (answered == null) {
                ServletResponseSender.send(real, instead.reply());
            } else {
                answered.sendInstead(instead.reply());
            }
        } else if (answered != null && ending instanceof ResponseDecision.HandlerResponse) {
            if (unkept != null) {
                answered.sendError(unkept);
            } else if (keptFailure != null) {
                answered.sendInstead(EdgeResponse.of(keptFailure, ending.origin()));
            } else {
                answered.send();
            }
        }
    }

    private Outcome.Answer handle(Claim claim, FilterChain chain) throws IOException, ServletException {
        if (response != null) {
            // The first run was rolled back. A filter chain can run only once per request, so the client has to retry.
            claim.doNotKeepAnswer();
            throw new WorkRolledBackException(
                    transacted.operation(), "A concurrent request had changed its key.", null);
        }
        var captured = new CapturedServletResponse(
                real,
                transacted.policy().replay().maxOutcomeBytes(),
                ResponseBodyBuffer.OverflowPolicy.SPOOL,
                memory,
                claim::keepStateOnly);
        response = captured;
        var asked = new SynchronousServletRequest(request);
        asked.setAttribute(RefrainFilter.CLAIM, claim);
        try {
            chain.doFilter(asked, captured);
        } catch (IOException | ServletException | RuntimeException | Error failure) {
            var stored = transacted.storedFailure(failure);
            if (stored.isEmpty()) {
                throw failure;
            }
            keptFailure = stored.get();
            return keptFailure;
        }
        return answer(asked, captured);
    }

    private Outcome.Answer answer(HttpServletRequest asked, CapturedServletResponse captured)
            throws IOException, ServletException {
        var error = captured.error();
        if (error.isPresent()) {
            if (transacted.wouldStore(captured.answer())) {
                errors.write(
                        asked,
                        captured.reopened(),
                        error.get().status(),
                        error.get().message());
            } else {
                unkept = error.get();
            }
        }
        return captured.answer();
    }

    private void discard() {
        if (response != null) {
            response.discard();
        }
    }
}
