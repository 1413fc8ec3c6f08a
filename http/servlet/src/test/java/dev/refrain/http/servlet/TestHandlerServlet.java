package dev.refrain.http.servlet;

import dev.refrain.http.cases.HandlerResponseStyle;
import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.cases.TestHandlerRequest;
import dev.refrain.http.cases.TestHandlerResponse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Answers as it is told, in whatever way it is told. */
final class TestHandlerServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String DISPATCHED = "dispatched";

    private final transient TestHandler handler;

    TestHandlerServlet(TestHandler handler) {
        this.handler = handler;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
            throws IOException, ServletException {
        if (request.getDispatcherType() == DispatcherType.ASYNC) {
            write(response, (TestHandlerResponse) request.getAttribute(DISPATCHED));
            return;
        }
        TestHandlerResponse given;
        try {
            given = handler.handle(asked(request));
        } catch (IOException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new ServletException(e);
        }
        switch (given.style()) {
            case STREAM -> write(response, given);
            case WRITER -> {
                head(response, given);
                response.getWriter().print(given.text());
            }
            case FLUSHED -> flushed(response, given);
            case ERROR -> response.sendError(given.status(), given.text());
            case THROWN -> throw new IllegalStateException(given.text());
            case BROKEN -> throw new AssertionError(given.text());
            case ASYNC -> {
                var context = request.startAsync();
                Thread.startVirtualThread(() -> {
                    try {
                        write((HttpServletResponse) context.getResponse(), given);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    } finally {
                        context.complete();
                    }
                });
            }
            case ASYNC_DISPATCH -> {
                request.setAttribute(DISPATCHED, given);
                var context = request.startAsync();
                Thread.startVirtualThread(context::dispatch);
            }
        }
    }

    private static void head(HttpServletResponse response, TestHandlerResponse given) {
        response.setStatus(given.status());
        given.headers().forEach(header -> response.addHeader(header.name(), header.value()));
    }

    private static void write(HttpServletResponse response, TestHandlerResponse given) throws IOException {
        head(response, given);
        response.getOutputStream().write(given.bytes());
    }

    /** What comes after the answer is committed comes too late. */
    private static void flushed(HttpServletResponse response, TestHandlerResponse given) throws IOException {
        head(response, given);
        for (byte b : given.bytes()) {
            response.getOutputStream().write(b);
            response.flushBuffer();
        }
        response.setHeader("X-Too-Late", "yes");
        response.setStatus(500);
        response.getOutputStream().close();
    }

    private static TestHandlerRequest asked(HttpServletRequest request) throws IOException, ServletException {
        String type = Optional.ofNullable(request.getContentType()).orElse("").toLowerCase(Locale.ROOT);
        boolean form = type.startsWith("application/x-www-form-urlencoded") || type.startsWith("multipart/");
        String body = form ? "" : new String(request.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        Map<String, String> parameters = new LinkedHashMap<>();
        request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
        if (type.startsWith("multipart/") && request.getParts().size() != 2) {
            throw new ServletException("There are " + request.getParts().size() + " parts.");
        }
        return new TestHandlerRequest(
                request.getMethod(), request.getRequestURI(), body, parameters, RefrainFilter.claim(request));
    }

    static java.util.Set<HandlerResponseStyle> ways() {
        return java.util.EnumSet.allOf(HandlerResponseStyle.class);
    }
}
