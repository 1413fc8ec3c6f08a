package dev.refrain.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.refrain.api.ClientKey;
import dev.refrain.api.ScopedKey;
import dev.refrain.saga.SagaResult;
import dev.refrain.saga.SagaView;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordState;
import dev.refrain.store.outbox.MessageSettlement.Cause;
import dev.refrain.store.outbox.WaitingMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Console sections for outbox, dead letters and sagas, over real sockets and a real store. */
@Timeout(120)
class OutboxAndSagaSectionsTest {

    private static final String HOSTILE = "<script>alert('x')</script>";

    @TempDir
    Path directory;

    private ConsoleFixture scene;
    private SimpleBrowser visitor;

    DataSource database() {
        return ConsoleFixture.sqlite(directory);
    }

    @BeforeEach
    void open() {
        scene = new ConsoleFixture(database());
        visitor = new SimpleBrowser(scene);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void unauthenticatedRequestSeesAndDecidesNothing() {
        var dead = scene.backroom.dead("webhooks", "body", Cause.EXHAUSTED, "no luck");
        for (String path : List.of("/outbox", "/deadletters", "/deadletters/letter?id=" + dead, "/sagas")) {
            assertThat(visitor.get(path).statusCode()).as(path).isEqualTo(401);
        }
        assertThat(visitor.post("/deadletters/letter/discard?id=" + dead, Map.of("reason", "x"))
                        .statusCode())
                .isEqualTo(401);
        assertThat(scene.store.outboxBrowser().findDeadLetter(dead)).isPresent();
    }

    @Test
    void outboxIsShownByTopicAndIsFilteredAndPaged() {
        for (int i = 0; i < 60; i++) {
            scene.backroom.staged("receipts", "r" + i);
        }
        scene.backroom.staged("webhooks", "w");
        scene.backroom.failing("webhooks", HOSTILE);
        scene.backroom.deliver("news", 3, scene.live);
        visitor.signedIn();
        assertThat(visitor.get("/outbox").body())
                .contains("3 messages delivered since startup")
                .contains("receipts", "webhooks", ">60<", "Next page");
        assertThat(visitor.get("/outbox?topic=webhooks&show=failing").body())
                .contains("&lt;script&gt;")
                .doesNotContain("Next page", "<script>alert");
        assertThat(visitor.get("/outbox?after=bogus").statusCode()).isEqualTo(400);
    }

    @Test
    void frontPageCountsDeadLettersAndLinksToThem() {
        visitor.signedIn();
        assertThat(visitor.get("/").body())
                .contains("<a class=\"tile\" href=\"/deadletters\"><span class=\"what\">Dead letters</span><strong>0<")
                .contains("<span class=\"what\">Oldest message</span><strong>none<");

        scene.backroom.dead("webhooks", "body", Cause.EXHAUSTED, "no luck");
        scene.backroom.dead("mails", "body", Cause.UNKNOWN, "no answer");
        scene.backroom.staged("receipts", "r");
        // Counts are cached for a few seconds.
        await().untilAsserted(() -> assertThat(visitor.get("/live").body())
                .contains(
                        "<a class=\"tile alarm\" href=\"/deadletters\"><span class=\"what\">Dead letters</span><strong>2<")
                .contains("<a class=\"tile\" href=\"/outbox\"><span class=\"what\">Oldest message</span>")
                .doesNotContain("<strong>none</strong><span class=\"small\">staged and not yet"));
    }

    @Test
    void deadLetterBodyIsHiddenUntilRevealedForAReason() {
        var dead = scene.backroom.dead("webhooks", "the secret body", Cause.UNKNOWN, HOSTILE);
        visitor.signedIn();
        assertThat(visitor.get("/deadletters").body())
                .contains(dead.toString(), "&lt;script&gt;")
                .doesNotContain("<script>alert");
        String letter = "/deadletters/letter?id=" + dead;
        assertThat(visitor.get(letter).body())
                .contains("check with the receiver first")
                .doesNotContain("the secret body");
        assertThat(visitor.post("/deadletters/letter/reveal?id=" + dead, Map.of("reason", " "))
                        .statusCode())
                .isEqualTo(400);
        assertThat(scene.store.listAuditTrail(9)).isEmpty();
        assertThat(visitor.post("/deadletters/letter/reveal?id=" + dead, Map.of("reason", "ticket 7"))
                        .body())
                .contains("the secret body");
        assertThat(scene.store.listAuditTrail(9)).extracting(AuditEntry::why).containsExactly("ticket 7");
    }

    @Test
    void deadLetterIsResentOrDiscardedForAReason() {
        var again = scene.backroom.dead("webhooks", "a", Cause.EXHAUSTED, "no luck");
        var gone = scene.backroom.dead("webhooks", "b", Cause.REFUSED, "410");
        visitor.signedIn();
        assertThat(visitor.post("/deadletters/letter/resend?id=" + again, Map.of())
                        .statusCode())
                .isEqualTo(400);
        SimpleBrowser.assertSeeOther(
                visitor.post("/deadletters/letter/resend?id=" + again, Map.of("reason", "mended")));
        SimpleBrowser.assertSeeOther(visitor.post("/deadletters/letter/discard?id=" + gone, Map.of("reason", "left")));
        assertThat(scene.store
                        .outboxBrowser()
                        .searchWaiting(new WaitingMessageSearch(Optional.empty(), false, Optional.empty(), 9))
                        .rows())
                .extracting(WaitingMessage::id)
                .containsExactly(again);
        assertThat(scene.store.listAuditTrail(9))
                .extracting(entry -> entry.action() + " " + entry.who() + " " + entry.why())
                .containsExactly("outbox: dismiss ann left", "outbox: send again ann mended");
        assertThat(visitor.post("/deadletters/letter/resend?id=" + gone, Map.of("reason", "x"))
                        .statusCode())
                .isEqualTo(404);
        assertThat(visitor.get("/deadletters/letter?id=nonsense").statusCode()).isEqualTo(400);
    }

    @Test
    void forgedFormDecidesNothing() {
        var dead = scene.backroom.dead("webhooks", "a", Cause.EXHAUSTED, "no luck");
        visitor.signedIn();
        visitor.headers.put("Origin", "https://evil.example");
        assertThat(visitor.post("/deadletters/letter/discard?id=" + dead, Map.of("reason", "x"))
                        .statusCode())
                .isEqualTo(403);
        assertThat(scene.store.outboxBrowser().findDeadLetter(dead)).isPresent();
    }

    @Test
    void sagasAreListedAndShownStepByStep() {
        scene.backroom.order("o-1", "fine");
        scene.backroom.order("o-2", "later");
        scene.backroom.order("o-3", "refused");
        scene.backroom.order("o-4", "stuck");
        visitor.signedIn();
        assertThat(visitor.get("/sagas").body())
                .contains("order.place", ">o-2<", ">o-4<", "stuck", "Finished sagas")
                .doesNotContain(">o-1<", ">o-3<");
        assertThat(visitor.get(saga("", "o-1")).body()).contains("completed").doesNotContain("to do", "Decide");
        assertThat(visitor.get(saga("", "o-2")).body()).contains("running", "done", "next", "to do");
        assertThat(visitor.get(saga("", "o-3")).body())
                .contains("compensated", "undone", "failed", "the card is refused");
        assertThat(visitor.get(saga("", "o-4")).body()).contains("stuck", "not undone", "the shelf is gone", "Abandon");
        assertThat(visitor.get("/sagas/saga?saga=none&id=o-1").statusCode()).isEqualTo(404);
        assertThat(visitor.get(saga("", "none")).statusCode()).isEqualTo(404);
        assertThat(visitor.get("/keys?namespace=order.place&state=COMPLETED").body())
                .contains("o-1", "o-3");
    }

    @Test
    void failedCompensationIsRetriedOrAbandonedForAReason() {
        scene.backroom.order("o-1", "stuck");
        scene.backroom.order("o-2", "stuck");
        scene.backroom.order("o-3", "later");
        visitor.signedIn();
        visitor.get(saga("", "o-1"));
        assertThat(visitor.post(saga("/retry", "o-1"), Map.of()).statusCode()).isEqualTo(400);
        assertThat(visitor.post(saga("/retry", "o-1"), Map.of("reason", "x", "seen", "other"))
                        .statusCode())
                .isEqualTo(400);
        SimpleBrowser.assertSeeOther(visitor.post(saga("/retry", "o-1"), Map.of("reason", "new shelf")));
        assertThat(state("o-1")).isEqualTo(RecordState.RELEASED);

        visitor.get(saga("", "o-2"));
        SimpleBrowser.assertSeeOther(visitor.post(saga("/give-up", "o-2"), Map.of("reason", "no shelf")));
        assertThat(state("o-2")).isEqualTo(RecordState.COMPLETED);
        assertThat(scene.backroom.order("o-2", "stuck"))
                .hasValueSatisfying(result -> assertThat(result).isInstanceOf(SagaResult.Compensated.class));
        assertThat(scene.backroom
                        .sagas
                        .find(scene.backroom.place, ClientKey.scope("").key("o-2"))
                        .orElseThrow()
                        .status())
                .isEqualTo(SagaView.Status.COMPENSATED);
        assertThat(visitor.post(saga("/give-up", "o-3"), Map.of("reason", "x")).statusCode())
                .isEqualTo(404);
        assertThat(scene.store.listAuditTrail(9)).extracting(AuditEntry::why).containsExactly("no shelf", "new shelf");
    }

    @Test
    void sagaThatWaitsAtAStepIsCompensatedForAReason() {
        scene.backroom.order("o-1", "later");
        scene.backroom.giveUp("o-1");
        visitor.signedIn();
        assertThat(visitor.get(saga("", "o-1")).body())
                .contains("running", "Compensate")
                .doesNotContain("Abandon");
        assertThat(visitor.post(saga("/compensate", "o-1"), Map.of()).statusCode())
                .isEqualTo(400);
        assertThat(visitor.post(saga("/give-up", "o-1"), Map.of("reason", "x")).statusCode())
                .isEqualTo(409);
        SimpleBrowser.assertSeeOther(visitor.post(saga("/compensate", "o-1"), Map.of("reason", "not wanted")));

        assertThat(visitor.get(saga("", "o-1")).body()).contains("compensating").doesNotContain("Decide");
        assertThat(scene.backroom.order("o-1", "later"))
                .hasValueSatisfying(result -> assertThat(result).isInstanceOf(SagaResult.Compensated.class));
        assertThat(visitor.get(saga("", "o-1")).body()).contains("compensated", "not wanted");
        assertThat(scene.store.listAuditTrail(9)).extracting(AuditEntry::why).containsExactly("not wanted");
    }

    @Test
    void timelineShowsPhases() {
        scene.backroom.order("o-1", "refused");
        scene.backroom.order("o-2", "later");
        visitor.signedIn();
        assertThat(visitor.get("/key?scope=&namespace=order.place&key=o-1").body())
                .contains("reached charge", "reached undo.reserve", "completed after");
        assertThat(visitor.get("/key?scope=&namespace=order.place&key=o-2").body())
                .contains("Recovery point", "charge", "released after");
    }

    private RecordState state(String id) {
        return scene.store
                .find(List.of(new ScopedKey("", scene.backroom.place.asFlow().namespace(), id)))
                .getFirst()
                .orElseThrow()
                .state();
    }

    private static String saga(String act, String id) {
        return "/sagas/saga" + act + "?saga=order.place&scope=&id=" + id;
    }
}
