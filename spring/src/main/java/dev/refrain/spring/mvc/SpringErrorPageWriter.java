package dev.refrain.spring.mvc;

import dev.refrain.http.servlet.ErrorResponseWriter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import org.jspecify.annotations.Nullable;

/** Writes Spring Boot's own error response early enough to be stored. */
record SpringErrorPageWriter(String path) implements ErrorResponseWriter {

    @Override
    public void write(HttpServletRequest request, HttpServletResponse response, int status, @Nullable String message)
            throws IOException, ServletException {
        request.setAttribute(RequestDispatcher.ERROR_STATUS_CODE, status);
        request.setAttribute(RequestDispatcher.ERROR_REQUEST_URI, request.getRequestURI());
        if (message != null) {
            request.setAttribute(RequestDispatcher.ERROR_MESSAGE, message);
        }
        var page = request.getRequestDispatcher(path);
        if (page == null) {
            ErrorResponseWriter.problem().write(request, response, status, message);
        } else {
            page.forward(request, notAWrapper(response));
        }
    }

    /**
     * Returns a response that Tomcat cannot unwrap. Tomcat closes the client's response after a forward; here only the error page
     * ends, and the response is still to be stored.
     */
    private static HttpServletResponse notAWrapper(HttpServletResponse response) {
        return (HttpServletResponse) Proxy.newProxyInstance(
                SpringErrorPageWriter.class.getClassLoader(),
                new Class<?>[] {HttpServletResponse.class},
                (proxy, method, arguments) -> {
                    try {
                        return method.invoke(response, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
