package dev.refrain.gateway;

import org.eclipse.jetty.client.ContinueProtocolHandler;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.ProcessingProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.http.HttpStatus;

/** Skips interim responses (1xx) that the gateway does not know, and each 100 that nobody waits for: a service may send several. */
final class InterimResponseHandler extends ProcessingProtocolHandler {

    private static final String CONTINUED = InterimResponseHandler.class.getName() + ".continued";

    /** Adds the handler in front of the one that takes the first 100 for the only one. */
    static void addTo(HttpClient client) {
        var handlers = client.getProtocolHandlers();
        var first = handlers.remove(ContinueProtocolHandler.NAME);
        handlers.put(new InterimResponseHandler());
        if (first != null) {
            handlers.put(first);
        }
    }

    /** Marks a request whose body is on its way since the service asked for it. */
    static void markContinued(Request request) {
        request.attribute(CONTINUED, true);
    }

    @Override
    public String getName() {
        return "in-advance";
    }

    @Override
    public boolean accept(Request request, Response response) {
        int status = response.getStatus();
        return status == HttpStatus.CONTINUE_100
                ? !waitsToContinue(request)
                : HttpStatus.isInterim(status) && status > HttpStatus.EARLY_HINTS_103;
    }

    private static boolean waitsToContinue(Request request) {
        return request.getHeaders().contains(HttpHeader.EXPECT, HttpHeaderValue.CONTINUE.asString())
                && !request.getAttributes().containsKey(CONTINUED);
    }
}
