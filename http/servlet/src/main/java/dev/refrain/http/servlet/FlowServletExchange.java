package dev.refrain.http.servlet;

import dev.refrain.http.edge.FlowExchange;
import dev.refrain.http.edge.ResponseDecision;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A handler that runs a flow, on one thread. Nothing is sent before it is known how the flow stands. */
final class FlowServletExchange {

    private final HttpServletRequest request;
    private final HttpServletResponse real;
    private final CapturedServletResponse captured;

    FlowServletExchange(HttpServletRequest request, HttpServletResponse real, int maxBytes) {
        this.request = request;
        this.real = real;
        captured = new CapturedServletResponse(real, maxBytes, ResponseBodyBuffer.OverflowPolicy.SPOOL, tooLarge -> {});
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
