package dev.refrain.http.servlet;

import dev.refrain.http.edge.BufferReservation;
import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.ResponseDecision;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Runs a handler that runs a flow, on one thread. Nothing is sent before the flow's state is known. */
final class FlowServletExchange {

    private final HttpServletRequest request;
    private final HttpServletResponse real;
    private final CapturedServletResponse captured;
    private final BufferReservation memory;

    FlowServletExchange(HttpServletRequest request, HttpServletResponse real, int maxBytes, BufferReservation memory) {
        this.request = request;
        this.real = real;
        this.memory = memory;
        captured = new CapturedServletResponse(
                real, maxBytes, ResponseBodyBuffer.OverflowPolicy.SPOOL, memory, tooLarge -> {});
    }

    void run(FlowExchange flowing, FilterChain chain) throws IOException, ServletException {
        flowing.headers().forEach(header -> real.setHeader(header.name(), header.value()));
        try {
            send(flowing.<Exception>run(() -> {
                chain.doFilter(new SynchronousServletRequest(request), captured);
                return captured.error()
                        .map(CapturedServletResponse.SentError::status)
                        .orElseGet(captured::getStatus);
            }));
        } catch (IOException | ServletException | RuntimeException thrown) {
            throw thrown;
        } catch (Exception thrown) {
            throw new ServletException(thrown);
        } finally {
            captured.discard();
        }
    }

    private void send(ResponseDecision ending) throws IOException {
        if (ending instanceof ResponseDecision.ReplacementResponse instead) {
            memory.count(instead.reply().body().size());
            captured.sendInstead(instead.reply());
            return;
        }
        var error = captured.error();
        if (error.isPresent()) {
            captured.sendError(error.get());
        } else {
            captured.send();
        }
    }
}
