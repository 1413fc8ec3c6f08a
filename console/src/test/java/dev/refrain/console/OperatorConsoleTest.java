package dev.refrain.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.api.Payload;
import dev.refrain.api.ScopedKey;
import dev.refrain.api.StoredFailure;
import dev.refrain.http.KeptRequest;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.OutcomeFormat;
import dev.refrain.store.RecordState;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Console over real sockets and a real store. */
@Timeout(120)
class OperatorConsoleTest {

    private static final String HOSTILE = "<script>alert('x')</script>\"><img src=x onerror=alert(1)>";

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
    void unauthenticatedRequestSeesAndChangesNothing() {
        var claim = scene.unknown("acme", "secret-key");
        for (String path :
                List.of("/", "/keys", "/attention", "/trail", "/live", SimpleBrowser.key("", "acme", "secret-key"))) {
            var answer = visitor.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(401);
            assertThat(answer.body()).contains("password").doesNotContain("secret-key");
        }
        var done = visitor.post(SimpleBrowser.key("/release", "acme", "secret-key"), Map.of("reason", "x"));
        assertThat(done.statusCode()).isEqualTo(401);
        assertThat(scene.stored("acme", "secret-key").orElseThrow().claim()).isEqualTo(claim);
        assertThat(visitor.get("/assets/console.css").statusCode()).isEqualTo(200);
        assertThat(visitor.get("/assets/../OperatorConsole.class").statusCode()).isEqualTo(404);
    }

    @Test
    void signInIsLockedAfterFiveWrongPasswords() {
        visitor.get("/");
        for (int i = 0; i < 5; i++) {
            assertThat(visitor.post("/login", Map.of("name", "ann", "password", "guess"))
                            .statusCode())
                    .isEqualTo(401);
        }
        assertThat(visitor.post("/login", Map.of("name", "ann", "password", ConsoleFixture.PASSWORD))
                        .statusCode())
                .isEqualTo(401);
        assertThat(visitor.get("/keys").statusCode()).isEqualTo(401);
    }

    @Test
    void sessionCookieIsHttpOnlyAndEndsOnSignOut() {
        visitor.get("/");
        var entered = visitor.post("/login", Map.of("name", "ann", "password", ConsoleFixture.PASSWORD));
        assertThat(entered.headers().allValues("Set-Cookie"))
                .anySatisfy(cookie ->
                        assertThat(cookie).startsWith("refrain-session=").contains("HttpOnly", "SameSite=Strict"));
        assertThat(visitor.get("/").statusCode()).isEqualTo(200);
        visitor.post("/logout", Map.of());
        assertThat(visitor.get("/").statusCode()).isEqualTo(401);
    }

    @Test
    void everyPageForbidsForeignScriptsFramesAndCaches() {
        visitor.signedIn();
        for (String path : List.of("/", "/keys", "/attention", "/trail", "/nowhere", "/live")) {
            var answer = visitor.get(path);
            assertThat(answer.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
            assertThat(answer.body())
                    .doesNotContainPattern(Pattern.compile("<script(?![^>]* src=)"))
                    .doesNotContain("style=\"")
                    .doesNotContainPattern("\\son[a-z]+=");
        }
        assertThat(visitor.get("/nowhere").statusCode()).isEqualTo(404);
    }

    @Test
    void hostileKeyIsEscaped() {
        scene.unknown("acme", HOSTILE);
        visitor.signedIn();
        for (String path :
                List.of("/keys", "/attention", SimpleBrowser.key("", "acme", HOSTILE), "/keys?key=%3Cscript%3E")) {
            assertThat(visitor.get(path).body())
                    .as(path)
                    .contains("&lt;script&gt;")
                    .doesNotContain("<script>")
                    .doesNotContain("<img");
        }
    }

    @Test
    void forgedFormIsRejected() {
        scene.unknown("acme", "k");
        visitor.signedIn();
        visitor.get(SimpleBrowser.key("", "acme", "k"));
        String release = SimpleBrowser.key("/release", "acme", "k");
        var reason = Map.of("reason", "because");

        visitor.headers.put("Origin", "https://evil.example");
        assertThat(visitor.post(release, reason).statusCode()).isEqualTo(403);
        visitor.headers.remove("Origin");
        assertThat(visitor.post(release, reason).statusCode()).isEqualTo(403);
        visitor.headers.put("Origin", scene.at("").toString());
        assertThat(visitor.post(release, Map.of("reason", "because", CsrfGuard.FIELD, "guess"))
                        .statusCode())
                .isEqualTo(403);
        visitor.headers.put("Sec-Fetch-Site", "cross-site");
        assertThat(visitor.post(release, reason).statusCode()).isEqualTo(403);
        assertThat(scene.stored("acme", "k").orElseThrow().state()).isEqualTo(RecordState.ATTENTION);

        visitor.headers.put("Sec-Fetch-Site", "same-origin");
        assertThat(visitor.post(release, reason).statusCode()).isEqualTo(303);
    }

    @Test
    void keyInAttentionSaysWhatItWasWhatItMayHaveSentAndWhoTried() {
        var first = scene.unknown("acme", "k");
        visitor.signedIn();
        scene.refrain.admin().release(first, "ann", "never sent");
        var second = scene.unknown("acme", "k");
        String derived = second.id().keyFor("charge");

        assertThat(visitor.get("/attention").body()).contains("POST /payments/{id}", "charge", derived);
        assertThat(visitor.get(SimpleBrowser.key("", "acme", "k")).body())
                .contains("POST /payments/{id}", "alice", "since the first claim")
                .contains("4bf92f3577b34da6a3ce929d0e0e4736")
                .contains("charge", derived)
                .contains("web-2", "outcome unknown: The bank did not answer.");
    }

    @Test
    void releaseIsAuditedWithUserAndReason() {
        scene.unknown("acme", "k");
        visitor.signedIn();
        assertThat(visitor.get("/attention").body()).contains("The bank did not answer.");
        visitor.get(SimpleBrowser.key("", "acme", "k"));
        String release = SimpleBrowser.key("/release", "acme", "k");
        assertThat(visitor.post(release, Map.of("reason", " ")).statusCode()).isEqualTo(400);
        assertThat(visitor.post(release, Map.of("reason", "never sent")).statusCode())
                .isEqualTo(303);

        assertThat(scene.stored("acme", "k").orElseThrow().state()).isEqualTo(RecordState.RELEASED);
        assertThat(scene.store.listAuditTrail(10))
                .extracting(AuditEntry::who, AuditEntry::why)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("ann", "never sent"));
        assertThat(visitor.get(SimpleBrowser.key("", "acme", "k")).body())
                .contains("resolve: released by ann: never sent")
                .doesNotContain("Decide");
        assertThat(visitor.get("/trail").body()).contains("never sent");
        assertThat(visitor.get("/attention").body()).contains("No keys in ATTENTION.");
    }

    @Test
    void resolveStoresTheResponseForRetries() {
        scene.unknown("acme", "k");
        visitor.signedIn();
        visitor.get(SimpleBrowser.key("", "acme", "k"));
        String resolve = SimpleBrowser.key("/resolve", "acme", "k");
        assertThat(visitor.post(resolve, Map.of("reason", "x", "status", "abc")).statusCode())
                .isEqualTo(400);
        assertThat(visitor.post(resolve, Map.of("reason", "x", "status", "201", "type", "text/plain\r\nX: y"))
                        .body())
                .contains("has control characters");
        assertThat(visitor.post(resolve, Map.of("reason", "x", "status", "204", "body", "paid"))
                        .body())
                .contains("leave the body out");
        var answer = Map.of("reason", "bank says so", "status", "201", "type", "text/plain", "body", "paid");
        assertThat(visitor.post(resolve, answer).statusCode()).isEqualTo(303);

        var outcome = OutcomeFormat.decode(
                scene.stored("acme", "k").orElseThrow().outcome().orElseThrow());
        assertThat(outcome.status()).isEqualTo(201);
        assertThat(outcome.header("Content-Type")).contains("text/plain");
        assertThat(new String(outcome.body().bytes(), StandardCharsets.UTF_8)).isEqualTo("paid");
    }

    @Test
    void resolveAsFailedStoresTheReasonAsAFailure() {
        scene.unknown("acme", "k");
        visitor.signedIn();
        assertThat(visitor.get(SimpleBrowser.key("", "acme", "k")).body()).contains("Resolve as failed");
        String resolve = SimpleBrowser.key("/resolve-as-failed", "acme", "k");
        assertThat(visitor.post(resolve, Map.of()).statusCode()).isEqualTo(400);
        assertThat(visitor.post(resolve, Map.of("reason", "nothing was printed"))
                        .statusCode())
                .isEqualTo(303);

        var outcome = OutcomeFormat.decode(
                scene.stored("acme", "k").orElseThrow().outcome().orElseThrow());
        assertThat(StoredFailure.fromAnswer(outcome))
                .hasValueSatisfying(failure -> assertThat(failure.message()).isEqualTo("nothing was printed"));
    }

    @Test
    void resolveKeepsTheResponseForTheGivenRetention() {
        scene.unknown("acme", "k");
        visitor.signedIn();
        visitor.get(SimpleBrowser.key("", "acme", "k"));
        String resolve = SimpleBrowser.key("/resolve", "acme", "k");
        var wrong = visitor.post(resolve, Map.of("reason", "x", "retention", "7 parsecs"));
        assertThat(wrong.statusCode()).isEqualTo(400);
        assertThat(wrong.body()).contains("a time such as 24h or 7d, or for-ever");
        assertThat(visitor.post(resolve, Map.of("reason", "x", "retention", "0s"))
                        .statusCode())
                .isEqualTo(400);
        assertThat(scene.stored("acme", "k").orElseThrow().state()).isEqualTo(RecordState.ATTENTION);

        assertThat(visitor.post(resolve, Map.of("reason", "a ledger", "retention", "for-ever"))
                        .statusCode())
                .isEqualTo(303);
        assertThat(scene.store
                        .recordBrowser()
                        .find(new ScopedKey("acme", ConsoleFixture.OPERATION, "k"))
                        .orElseThrow()
                        .times()
                        .expires())
                .isEmpty();
    }

    @Test
    void recordThatChangedSinceTheUserSawItIsLeftAlone() {
        scene.unknown("acme", "k");
        visitor.signedIn();
        visitor.get(SimpleBrowser.key("", "acme", "k"));
        var other = scene.stored("acme", "k").orElseThrow().claim();
        scene.refrain.admin().release(other, "bob", "was first");
        scene.unknown("acme", "k");

        var late = visitor.post(SimpleBrowser.key("/release", "acme", "k"), Map.of("reason", "too late"));
        assertThat(late.statusCode()).isEqualTo(400);
        assertThat(late.body()).contains("nothing was done");
        assertThat(scene.stored("acme", "k").orElseThrow().state()).isEqualTo(RecordState.ATTENTION);
    }

    @Test
    void contentsAreHiddenUntilRevealedForAnAuditedReason() {
        scene.paid("acme", "k", "10 <b>EUR</b>");
        visitor.signedIn();
        assertThat(visitor.get(SimpleBrowser.key("", "acme", "k")).body())
                .contains("bytes stored")
                .doesNotContain("EUR");
        assertThat(visitor.post(SimpleBrowser.key("/reveal", "acme", "k"), Map.of())
                        .statusCode())
                .isEqualTo(400);
        assertThat(scene.store.listAuditTrail(10)).isEmpty();

        var shown = visitor.post(SimpleBrowser.key("/reveal", "acme", "k"), Map.of("reason", "ticket 7"));
        assertThat(shown.body()).contains("10 &lt;b&gt;EUR&lt;/b&gt;", "Status");
        assertThat(scene.store.listAuditTrail(10))
                .extracting(AuditEntry::action, AuditEntry::who, AuditEntry::why)
                .containsExactly(org.assertj.core.groups.Tuple.tuple("reveal", "ann", "ticket 7"));
    }

    @Test
    void keptRequestIsRevealedAsTextAndBinaryOnlyDescribed() {
        var text = new KeptRequest(
                "POST",
                "/payments/7?…",
                List.of(new KeptRequest.SentHeader("Content-Type", "application/json")),
                12_000,
                new KeptRequest.KeptBody.CutBody(
                        Payload.of("{\"to\":\"<b>zoe</b>\"".getBytes(StandardCharsets.UTF_8))));
        scene.unknown("acme", "text", text);
        scene.unknown("acme", "binary", text.withBody(new byte[] {(byte) 0xFF, 0, 'p', 'l', 'u', 'g', 'h'}));
        visitor.signedIn();
        assertThat(visitor.get(SimpleBrowser.key("", "acme", "text")).body())
                .contains("Kept request", "bytes stored", "Reveal contents")
                .doesNotContain("zoe");

        assertThat(visitor.post(SimpleBrowser.key("/reveal", "acme", "text"), Map.of("reason", "ticket 7"))
                        .body())
                .contains("Request as it was received", "POST /payments/7?…", "application/json")
                .contains("the first 18 of 12000 bytes of application/json")
                .contains("&lt;b&gt;zoe&lt;/b&gt;");
        assertThat(visitor.post(SimpleBrowser.key("/reveal", "acme", "binary"), Map.of("reason", "ticket 7"))
                        .body())
                .contains("12000 bytes of application/json")
                .doesNotContain("plugh");
        assertThat(scene.store.listAuditTrail(10))
                .extracting(AuditEntry::action)
                .containsExactly("reveal", "reveal");
    }

    @Test
    void overviewAndTimelineShowEventsOfThisInstance() {
        scene.paid("acme", "k", "10");
        scene.paid("acme", "k", "10");
        scene.paid("acme", "k", "10");
        scene.mismatched("acme", "k", "11");
        scene.open("acme", "slow");
        scene.conflicted("acme", "slow");

        assertThat(scene.live.of(LiveActivityListener.ActivityKind.FIRST).total())
                .isEqualTo(2);
        assertThat(scene.live.of(LiveActivityListener.ActivityKind.REPLAYED).total())
                .isEqualTo(2);
        assertThat(scene.live.of(LiveActivityListener.ActivityKind.MISMATCH).total())
                .isEqualTo(1);
        assertThat(scene.live.of(LiveActivityListener.ActivityKind.CONFLICT).total())
                .isEqualTo(1);
        visitor.signedIn();
        assertThat(visitor.get("/live").body()).contains("2 got the stored response since startup", "<svg");
        assertThat(visitor.get(SimpleBrowser.key("", "acme", "k")).body())
                .contains("first claimed", "completed", "replayed, 2 times");
    }

    @Test
    void searchIsPagedAndKeepsItsFilters() {
        for (int i = 0; i < 60; i++) {
            scene.paid("acme", "k" + i, "10");
        }
        scene.unknown("acme", "waits");
        visitor.signedIn();
        var first = visitor.get("/keys?namespace=" + ConsoleFixture.OPERATION + "&state=COMPLETED")
                .body();
        var next = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"").matcher(first);
        assertThat(next.find()).isTrue();
        var second = visitor.get(next.group(1).replace("&amp;", "&")).body();
        assertThat(Pattern.compile("<td data-head=\"Key\">")
                                .matcher(first)
                                .results()
                                .count()
                        + Pattern.compile("<td data-head=\"Key\">")
                                .matcher(second)
                                .results()
                                .count())
                .isEqualTo(60);
        assertThat(second).doesNotContain("rel=\"next\"").contains("<option value=\"COMPLETED\" selected>");
        assertThat(visitor.get("/keys?state=bogus").statusCode()).isEqualTo(400);
        assertThat(visitor.get("/keys?after=bogus").statusCode()).isEqualTo(400);
        assertThat(visitor.get("/keys?since=yesterday").statusCode()).isEqualTo(400);
        assertThat(visitor.get("/key?id=bogus").statusCode()).isEqualTo(400);
        assertThat(visitor.get(SimpleBrowser.key("", "acme", "none")).statusCode())
                .isEqualTo(404);
    }

    @Test
    void unavailableStoreIsReported() {
        visitor.signedIn();
        scene.store.close();
        assertThat(visitor.get("/keys").body()).contains("Store unavailable");
        assertThat(visitor.get("/keys").statusCode()).isGreaterThanOrEqualTo(500);
    }

    @Test
    void hostCanAuthenticateUsersAndAddSections() {
        var more = new ConsoleSection() {
            @Override
            public String path() {
                return "outbox";
            }

            @Override
            public String title() {
                return "Outbox";
            }

            @Override
            public ConsolePage get(AuthenticatedRequest visit) {
                return ConsolePage.of("Outbox", SafeHtml.text("empty, " + visit.user()));
            }
        };
        var console = OperatorConsole.of(
                        ConsoleAuthenticator.trustingHost(),
                        ConsoleSections.of(scene.refrain.admin(), scene.store.recordBrowser(), scene.live))
                .and(more);
        assertThat(console.answer(asked("/outbox", Optional.empty())).status()).isEqualTo(403);
        var let = console.answer(asked("/outbox", Optional.of("ann")));
        assertThat(new String(let.body().bytes(), StandardCharsets.UTF_8))
                .contains("empty, ann", "href=\"/ops/outbox\" aria-current=\"page\"")
                .doesNotContain("Sign out");
        assertThat(console.answer(new ConsoleRequest(
                                "DELETE", "/", "", Map.of(), Map.of(), Map.of(), true, Optional.of("ann"), Map.of()))
                        .status())
                .isEqualTo(405);
    }

    private static ConsoleRequest asked(String path, Optional<String> user) {
        return new ConsoleRequest(
                "GET", path, "/ops", Map.of(), Map.of(), Map.of("host", "localhost"), true, user, Map.of());
    }
}
