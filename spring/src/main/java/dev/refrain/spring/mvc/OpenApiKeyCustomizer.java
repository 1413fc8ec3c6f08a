package dev.refrain.spring.mvc;

import dev.refrain.http.RoutePolicy;
import dev.refrain.http.contract.PublishedRouteContract;
import dev.refrain.http.edge.ProblemResponses;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.web.method.HandlerMethod;

/** Adds the key header and the rejections of protected operations to springdoc's OpenAPI document. */
final class OpenApiKeyCustomizer implements OperationCustomizer {

    private final MvcRouteFinder handlers;

    OpenApiKeyCustomizer(MvcRouteFinder handlers) {
        this.handlers = handlers;
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        handlers.policyOf(handler).ifPresent(policy -> describe(operation, policy));
        return operation;
    }

    private static void describe(Operation operation, RoutePolicy policy) {
        for (String name : PublishedRouteContract.headers(policy)) {
            operation.addParametersItem(new HeaderParameter()
                    .name(name)
                    .required(PublishedRouteContract.isRequired(policy))
                    .description(PublishedRouteContract.describe(policy))
                    .schema(new StringSchema()));
        }
        if (operation.getResponses() == null) {
            operation.setResponses(new ApiResponses());
        }
        for (var refusal : PublishedRouteContract.refusals(policy)) {
            operation
                    .getResponses()
                    .computeIfAbsent(
                            Integer.toString(refusal.status()),
                            status -> new ApiResponse()
                                    .description(refusal.description())
                                    .content(new Content().addMediaType(ProblemResponses.MEDIA_TYPE, new MediaType())));
        }
    }
}
