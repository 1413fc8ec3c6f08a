package dev.refrain.spring;

import dev.refrain.http.cases.TestHandler;
import dev.refrain.http.cases.TestHandlerRequest;
import dev.refrain.http.cases.TestHandlerResponse;
import dev.refrain.http.servlet.RefrainFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Answers as it is told, in Spring's ways. */
@RestController
class TestHandlerController {

    private final TestHandler handler;

    TestHandlerController(TestHandler handler) {
        this.handler = handler;
    }

    @RequestMapping("/**")
    @Nullable
    Object handle(HttpServletRequest request, HttpServletResponse response) throws Exception {
        var given = handler.handle(asked(request));
        return switch (given.style()) {
            case STREAM -> entity(given);
            case WRITER -> {
                head(response, given);
                response.getWriter().print(given.text());
                yield null;
            }
            case FLUSHED -> {
                head(response, given);
                for (byte b : given.bytes()) {
                    response.getOutputStream().write(b);
                    response.flushBuffer();
                }
                response.setHeader("X-Too-Late", "yes");
                yield null;
            }
            case ERROR -> throw new ResponseStatusException(HttpStatusCode.valueOf(given.status()), given.text());
            case THROWN -> throw new IllegalStateException(given.text());
            case BROKEN -> throw new AssertionError(given.text());
            case ASYNC, ASYNC_DISPATCH -> (Callable<ResponseEntity<byte[]>>) () -> entity(given);
        };
    }

    private static ResponseEntity<byte[]> entity(TestHandlerResponse given) {
        var entity = ResponseEntity.status(given.status());
        given.headers().forEach(header -> entity.header(header.name(), header.value()));
        return given.text().isEmpty() ? entity.build() : entity.body(given.bytes());
    }

    private static void head(HttpServletResponse response, TestHandlerResponse given) {
        response.setStatus(given.status());
        given.headers().forEach(header -> response.addHeader(header.name(), header.value()));
    }

    private static TestHandlerRequest asked(HttpServletRequest request) throws IOException {
        String type = Optional.ofNullable(request.getContentType()).orElse("").toLowerCase(Locale.ROOT);
        boolean form = type.startsWith("application/x-www-form-urlencoded") || type.startsWith("multipart/");
        String body = form ? "" : new String(request.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        var parameters = new LinkedHashMap<String, String>();
        request.getParameterMap().forEach((name, values) -> parameters.put(name, values[0]));
        return new TestHandlerRequest(
                request.getMethod(), request.getRequestURI(), body, parameters, RefrainFilter.claim(request));
    }
}
