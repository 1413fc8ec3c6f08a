package dev.refrain.trials.encryption;

import static dev.refrain.trials.encryption.PlantedWords.SCOPE;
import static dev.refrain.trials.encryption.PlantedWords.name;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.refrain.api.AnswerHeader;
import dev.refrain.api.EffectUnknownException;
import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import dev.refrain.http.edge.BufferBudget;
import dev.refrain.http.edge.ContractAndStatusPaths;
import dev.refrain.http.edge.LeasedExchange;
import dev.refrain.http.edge.RequestHead;
import dev.refrain.http.edge.RequestStep;
import dev.refrain.http.edge.RouteProtection;
import java.util.List;

/** HTTP requests to a {@link PlantedShop}: answered, refused with a problem, failed, escalated and abandoned. */
record PlantedEdge(PlantedShop shop) {

    void run() {
        for (var policy : LeaseExpiryPolicy.values()) {
            var route = RouteProtection.of(
                    shop.refrain(),
                    Route.of("POST /" + name("route") + "/{id}", RoutePolicy.of(OperationMode.leased(policy))),
                    ContractAndStatusPaths.DEFAULT,
                    null);
            send(route, policy + " answered").complete(answer(201, "text/plain", "response"));
            send(route, policy + " refused").complete(answer(422, "application/problem+json", "problem"));
            send(route, policy + " broken").complete(answer(503, "application/problem+json", "problem of the service"));
            send(route, policy + " failed").fail(new IllegalStateException(shop.secret("handler's failure")));
            send(route, policy + " unknown").fail(new EffectUnknownException(shop.secret("handler's doubt"), null));
            send(route, policy + " escalated")
                    .escalate(shop.secret("edge's reason"), new IllegalStateException(shop.secret("edge's cause")));
            send(route, policy + " abandoned").abandon();
        }
    }

    private Outcome.Answer answer(int status, String type, String what) {
        return new Outcome.Answer(
                status,
                List.of(new AnswerHeader("Content-Type", type), new AnswerHeader("Location", shop.secret("location"))),
                Payload.of(("{\"detail\":\"" + shop.secret(what) + "\"}").getBytes(UTF_8)));
    }

    private LeasedExchange send(RouteProtection route, String key) {
        String header = shop.secret("request header");
        var head = new RequestHead(
                "POST",
                "/" + name("route") + "/" + shop.secret("path"),
                "q=" + shop.secret("query"),
                "application/json",
                asked -> List.of(asked.equalsIgnoreCase("Idempotency-Key") ? name(key) : header));
        return (LeasedExchange) route.begin(head, BufferBudget.ofHeap().open("peer"))
                .decide(new RequestStep.BlockingTranslation<RuntimeException>() {
                    @Override
                    public RequestStep resolveScope(RequestStep.ResolveScope step) {
                        return step.known(SCOPE, name("http caller"));
                    }

                    @Override
                    public RequestStep readBody(RequestStep.ReadBody step) {
                        return step.whole(Payload.of(("{\"to\":\"" + shop.secret("body") + "\"}").getBytes(UTF_8)));
                    }
                });
    }
}
