package dev.refrain.spring.console;

import dev.refrain.console.ConsoleReply;
import dev.refrain.console.ConsoleRequest;
import dev.refrain.console.OperatorConsole;
import dev.refrain.console.UrlEncodedFormParser;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Serves the operator console in a servlet container. */
final class ConsoleServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    private final transient OperatorConsole console;
    private final String role;

    /**
     * Creates the servlet.
     *
     * @param role role that the container must have authenticated; empty if the console authenticates users itself
     */
    ConsoleServlet(OperatorConsole console, String role) {
        this.console = console;
        this.role = role;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ConsoleReply reply = console.answer(read(request));
        response.setStatus(reply.status());
        reply.headers().forEach(header -> response.addHeader(header.name(), header.value()));
        byte[] body = reply.body().bytes();
        response.setContentLength(body.length);
        if (!request.getMethod().equals("HEAD")) {
            response.getOutputStream().write(body);
        }
    }

    private ConsoleRequest read(HttpServletRequest request) {
        var query = UrlEncodedFormParser.parse(request.getQueryString());
        Map<String, String> headers = new HashMap<>();
        Collections.list(request.getHeaderNames())
                .forEach(name -> headers.putIfAbsent(name.toLowerCase(Locale.ROOT), request.getHeader(name)));
        return new ConsoleRequest(
                request.getMethod(),
                Optional.ofNullable(request.getPathInfo()).orElse("/"),
                request.getContextPath() + request.getServletPath(),
                query,
                form(request, query),
                headers,
                request.isSecure(),
                user(request),
                Map.of());
    }

    /**
     * Returns the form fields without the query parameters, as the container parsed them, since an earlier filter may have read
     * the body.
     */
    private static Map<String, String> form(HttpServletRequest request, Map<String, String> query) {
        Map<String, String> form = new HashMap<>();
        if (request.getMethod().equals("POST")) {
            Collections.list(request.getParameterNames()).stream()
                    .filter(name -> !query.containsKey(name))
                    .forEach(name -> form.put(name, request.getParameter(name)));
        }
        return form;
    }

    private Optional<String> user(HttpServletRequest request) {
        return role.isEmpty() || !request.isUserInRole(role)
                ? Optional.empty()
                : Optional.ofNullable(request.getUserPrincipal()).map(principal -> principal.getName());
    }
}
