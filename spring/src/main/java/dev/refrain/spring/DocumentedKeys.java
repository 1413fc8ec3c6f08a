package dev.refrain.spring;

import dev.refrain.http.contract.PublishedContract;
import dev.refrain.http.policy.Policy;
import dev.refrain.http.problem.Problems;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.StringSchema;
import io.swagger.v3.oas.models.parameters.HeaderParameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.responses.ApiResponses;
import org.springdoc.core.customizers.OperationCustomizer;
import org.springframework.web.method.HandlerMethod;

/** Shows, in the OpenAPI document that springdoc makes, the key's header and the refusals on protected operations. */
final class DocumentedKeys implements OperationCustomizer {

    private final IdempotentHandlers handlers;

    DocumentedKeys(IdempotentHandlers handlers) {
        this.handlers = handlers;
    }

    @Override
    public Operation customize(Operation operation, HandlerMethod handler) {
        handlers.policyOf(handler).ifPresent(policy -> describe(operation, policy));
        return operation;
    }

    private static void describe(Operation operation, Policy policy) {
        for (String name : PublishedContract.headers(policy)) {
            operation.addParametersItem(new HeaderParameter()
                    .name(name)
                    .required(PublishedContract.isRequired(policy))
                    .description(PublishedContract.describe(policy))
                    .schema(new StringSchema()));
        }
        if (operation.getResponses() == null) {
            operation.setResponses(new ApiResponses());
        }
        for (var refusal : PublishedContract.refusals(policy)) {
            operation
                    .getResponses()
                    .computeIfAbsent(
                            Integer.toString(refusal.status()),
                            status -> new ApiResponse()
                                    .description(refusal.description())
                                    .content(new Content().addMediaType(Problems.MEDIA_TYPE, new MediaType())));
        }
    }
}
