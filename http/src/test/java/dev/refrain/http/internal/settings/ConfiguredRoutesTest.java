package dev.refrain.http.internal.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.api.LeaseExpiryPolicy;
import dev.refrain.api.Retention;
import dev.refrain.http.InFlightPolicy;
import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.OperationMode;
import dev.refrain.http.Route;
import dev.refrain.http.RoutePolicy;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.json.JsonMapper;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConfiguredRoutesTest {

    private static final RoutePolicy FOR_ALL = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD));

    /** The tree as any file would give it. */
    private static final JsonMapper TREES = JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.KEBAB_CASE)
            .enable(EnumFeature.READ_ENUMS_USING_TO_STRING)
            .build();

    private static RouteSettings settings(String json) {
        return TREES.readValue(json.replace('\'', '"'), RouteSettings.class);
    }

    private static ConfiguredRoutes tree(String... settings) {
        var all = new LinkedHashMap<String, RouteSettings>();
        for (int i = 0; i < settings.length; i++) {
            all.put("r" + i, settings(settings[i]));
        }
        return ConfiguredRoutes.findCovering("routes", all, FOR_ALL);
    }

    private static Route route(String text) {
        return Route.of(text, FOR_ALL);
    }

    @Test
    void redactedFieldsOfARouteAreAddedToThoseOfAll() {
        var forAll =
                FOR_ALL.request(request -> request.with(request.kept().withRedactedFields(List.of("/pin", "/card"))));
        var route = settings("{'match': 'POST /a', 'redacted-fields': ['/iban', '/pin']}");

        assertThat(route.applyTo(forAll, "routes.a").request().kept().redactedFields())
                .containsExactly("/pin", "/card", "/iban");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            'mode': 'transactional', 'keep-request': 'always'    | routes.r0.keep-request is always, but the route is transactional
            'mode': 'flow', 'keep-request': 'always'             | routes.r0.keep-request is always, but the route is flow
            'mode': 'flow', 'redacted-fields': ['/card']         | routes.r0.redacted-fields is set
            """, quoteCharacter = '`')
    void fieldThatCannotBeKeptOrRedactedIsRefused(String settings, String because) {
        assertThatThrownBy(() -> tree("{'match': 'POST /a', " + settings + "}")).hasMessageContaining(because);
    }

    @Test
    void everySettingBecomesAPolicy() {
        var policy = tree("""
                {'match': 'POST /a', 'mode': 'leased-resume', 'key-requirement': 'optional', 'key-sources': ['X-Key', 'body:id'],
                 'key-syntax': 'strict', 'min-key-bytes': 300, 'max-key-bytes': 400, 'key-pattern': '[a-z]+', 'profile': 'stripe',
                 'retention': '7d', 'client-retry-window': '3d', 'keep-state-only': true, 'in-flight': 'wait 5s', 'max-request-bytes': '2KB',
                 'max-outcome-bytes': '3MB', 'mark-replays': false, 'hidden-headers': ['X-Trace'], 'ignored-fields': ['/at'],
                 'lease': '60s', 'max-run-time': '1h', 'store-timeout': '250ms', 'fail-open': true, 'require-correct-store': true,
                 'keep-request': 'always', 'max-kept-request-bytes': '4KB', 'kept-request-headers': ['X-Branch'],
                 'redacted-fields': ['/card/number']}""").all().getFirst().route().policy();

        assertThat(policy.run().mode()).isEqualTo(OperationMode.leased(LeaseExpiryPolicy.RESUME));
        assertThat(policy.run().inFlight()).isEqualTo(new InFlightPolicy.Wait(Duration.ofSeconds(5)));
        assertThat(policy.run().lease()).isEqualTo(Duration.ofMinutes(1));
        assertThat(policy.run().maxRunTime()).isEqualTo(Duration.ofHours(1));
        assertThat(policy.run().storeTimeout()).isEqualTo(Duration.ofMillis(250));
        assertThat(policy.run().failOpen()).isTrue();
        assertThat(policy.run().requireCorrectStore()).isTrue();
        assertThat(policy.key().requirement()).isEqualTo(KeyRequirement.OPTIONAL);
        assertThat(policy.key().sources()).extracting(Object::toString).containsExactly("X-Key", "body field id");
        assertThat(policy.key().rules().minBytes()).isEqualTo(300);
        assertThat(policy.key().rules().maxBytes()).isEqualTo(400);
        assertThat(policy.key().rules().pattern().orElseThrow().pattern()).isEqualTo("[a-z]+");
        assertThat(policy.replay().profile().name()).isEqualTo("stripe");
        assertThat(policy.replay().retention()).isEqualTo(Retention.of(Duration.ofDays(7)));
        assertThat(policy.replay().clientRetryWindow()).isEqualTo(Duration.ofDays(3));
        assertThat(policy.replay().keepStateOnly()).isTrue();
        assertThat(policy.replay().maxOutcomeBytes()).isEqualTo(3 << 20);
        assertThat(policy.replay().hiddenHeaders()).containsExactly("X-Trace");
        assertThat(policy.request().maxRequestBytes()).isEqualTo(2048);
        assertThat(policy.marksReplays()).isFalse();
        var kept = policy.request().kept();
        assertThat(kept.rule()).isEqualTo(KeptRequestRule.ALWAYS);
        assertThat(kept.maxBytes()).isEqualTo(4096);
        assertThat(kept.headers()).containsExactly("X-Branch");
        assertThat(kept.redactedFields()).containsExactly("/card/number");
    }

    @Test
    void omittedSettingStaysAsTheCodeDeclaresIt() {
        var declared =
                RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.RESUME)).replay(keep -> keep.withKeepStateOnly());
        var said = tree("{'match': 'POST /a', 'retention': 'for-ever'}")
                .findCovering("a", List.of(route("POST /a")))
                .orElseThrow();

        assertThat(said.mode()).isEmpty();
        assertThat(said.applyTo(declared)).isEqualTo(declared.replay(keep -> keep.with(Retention.FOREVER)));
    }

    /** Each alone would not go with what it changes. */
    @Test
    void settingsThatGoTogetherAreTakenTogether() {
        var async = RoutePolicy.of(OperationMode.leased(LeaseExpiryPolicy.HOLD))
                .run(run -> run.with(new InFlightPolicy.Async()));
        var said = tree("{'match': 'POST /a', 'mode': 'transactional', 'in-flight': 'reject'}")
                .all()
                .getFirst();

        assertThat(said.applyTo(async).run().mode()).isEqualTo(OperationMode.transactional());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {}                                                          | routes.r0.match is not set
            {'match': 'GET /a'}                                         | routes.r0.match: GET /a.methods: GET is never protected
            {'match': 'POST a'}                                         | routes.r0.match: path: 'a' must begin with a slash
            {'match': 'POST /a', 'retention': '7 parsecs'}              | routes.r0.retention is '7 parsecs', but may be a time such as 24h or 7d, or for-ever.
            {'match': 'POST /a', 'retention': '24'}                     | routes.r0.retention is '24', but may be a time
            {'match': 'POST /a', 'in-flight': 'queue'}                  | routes.r0.in-flight is 'queue', but may be reject, wait
            {'match': 'POST /a', 'redacted-fields': ['card']}           | routes.r0: redacted-fields holds 'card', which is not a JSON pointer
            {'match': 'POST /a', 'kept-request-headers': ['cookie']}    | routes.r0: kept-request-headers holds cookie, which carries credentials
            {'match': 'POST /a', 'max-outcome-bytes': '3GB'}                   | routes.r0.max-outcome-bytes is '3GB', but may be a size
            {'match': 'POST /a', 'key-sources': ['a b']}                    | routes.r0.key-sources: 'a b' is not a header name
            {'match': 'POST /a', 'key-sources': []}                         | routes.r0: key-sources must name at least one
            {'match': 'POST /a', 'key-pattern': '['}                    | routes.r0.key-pattern: Unclosed
            {'match': 'POST /a', 'ignored-fields': ['at']}                    | routes.r0.ignored-fields:
            {'match': 'POST /a', 'retention': '1h', 'client-retry-window': '2h'} | routes.r0: retention is shorter
            {'match': 'POST /a', 'mode': 'transactional', 'in-flight': 'async'} | routes.r0: in-flight: async does not go with
            """)
    void wrongRouteSettingIsNamedByItsPath(String wrong, String because) {
        assertThatThrownBy(() -> tree(wrong)).hasMessageContaining(because);
    }

    /** Editors complete the values of enums, and nothing else below the name of a route. */
    @Test
    void settingWithFewWordsIsAnEnum() {
        var words = Arrays.stream(RouteSettings.class.getRecordComponents())
                .filter(setting -> setting.getType().isEnum())
                .collect(Collectors.toMap(
                        RecordComponent::getName,
                        setting -> Arrays.stream(setting.getType().getEnumConstants())
                                .map(Object::toString)
                                .toList()));

        assertThat(words)
                .isEqualTo(Map.of(
                        "mode", List.of("transactional", "leased-resume", "leased-hold", "flow"),
                        "keyRequirement", List.of("required", "optional", "mint", "observe"),
                        "keySyntax", List.of("lenient", "strict"),
                        "profile", List.of("default", "stripe", "square", "success-only", "adyen"),
                        "keepRequest", List.of("never", "encrypted", "always")));
        assertThat(ProfileSetting.values())
                .allSatisfy(word -> assertThat(word.profile().name()).isEqualTo(word.toString()));
    }

    @Test
    void valueThatIsNoneOfFewWordsIsNamedWithThem() {
        assertThat(SettingParser.notOneOf(ModeSetting.class, "routes.r0.mode", "leased"))
                .isEqualTo("routes.r0.mode is 'leased', but may be transactional, leased-resume, leased-hold or flow.");
    }

    @Test
    void narrowerRouteHolds() {
        var all = "{'match': 'POST,PUT /v1/**', 'retention': '7d'}";
        var one = "{'match': 'POST /v1/charges/{id}', 'retention': '48h'}";

        for (var tree : List.of(tree(all, one), tree(one, all))) {
            assertThat(tree.findCovering("capture", List.of(route("POST /v1/charges/{charge}"))))
                    .get()
                    .extracting(said -> said.settings().retention())
                    .isEqualTo("48h");
            assertThat(tree.findCovering("other", List.of(route("POST /v1/refunds"))))
                    .get()
                    .extracting(said -> said.settings().retention())
                    .isEqualTo("7d");
            assertThat(tree.findCovering("elsewhere", List.of(route("POST /v2/refunds"))))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"POST /a/*/c,POST /a/b/*", "POST /a,POST /a", "'POST,PUT /a/**','POST,PATCH /a/**'"})
    void twoOfWhichNeitherIsNarrowerAreRefused(String one, String other) {
        assertThatThrownBy(() -> tree("{'match': '" + one + "'}", "{'match': '" + other + "'}"))
                .hasMessageContainingAll("routes.r0", "routes.r1", "neither is the narrower one");
    }

    @Test
    void matchThatCoversOnlySomeRoutesIsRefused() {
        assertThatThrownBy(
                        () -> tree("{'match': 'POST /a/b'}").findCovering("Shop.pay", List.of(route("POST /a/{id}"))))
                .hasMessageContainingAll("routes.r0.match", "covers only some of the routes to Shop.pay: POST /a/{id}");
        assertThatThrownBy(() -> tree("{'match': 'POST /a'}").findCovering("Shop.pay", List.of(route("POST,PUT /a"))))
                .hasMessageContaining("covers only some");
    }

    @Test
    void nothingConfiguredHoldsForNothing() {
        assertThat(ConfiguredRoutes.findCovering("routes", Map.of(), FOR_ALL).all())
                .isEmpty();
    }
}
