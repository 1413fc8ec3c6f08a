package dev.refrain.gateway;

import org.eclipse.jetty.client.ProcessingProtocolHandler;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpStatus;

/** Skips interim responses (1xx) that the gateway does not know. */
final class InterimResponseHandler extends ProcessingProtocolHandler {

    @Override
    public String getName() {
        return "in-advance";
    }

    @Override
    public boolean accept(Request request, Response response) {
        return HttpStatus.isInterim(response.getStatus()) && response.getStatus() > HttpStatus.EARLY_HINTS_103;
    }
}
