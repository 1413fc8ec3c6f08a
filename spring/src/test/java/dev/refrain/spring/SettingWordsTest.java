package dev.refrain.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.refrain.http.KeptRequestRule;
import dev.refrain.http.KeyRequirement;
import dev.refrain.http.KeySyntax;
import dev.refrain.http.internal.settings.ModeSetting;
import dev.refrain.http.internal.settings.ProfileSetting;
import dev.refrain.http.outgoing.CallInTransactionPolicy;
import dev.refrain.observe.LoggedKeyFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Settings that may be one of few words are as lenient in spelling as Spring's others; a wrong word is reported with the right ones. */
class SettingWordsTest {

    private final ApplicationContextRunner runner = new ApplicationContextRunner().withUserConfiguration(Bound.class);

    @EnableConfigurationProperties(RefrainProperties.class)
    static class Bound {}

    @ParameterizedTest
    @ValueSource(strings = {"leased-hold", "LEASED_HOLD", "leased_hold", "leasedHold", "Leased-Hold", " leased-hold "})
    void modeOfARouteIsReadInAnySpelling(String spelling) {
        runner.withPropertyValues("refrain.routes.pay.mode=" + spelling)
                .run(context -> assertThat(Objects.requireNonNull(context.getBean(RefrainProperties.class)
                                        .routes()
                                        .get("pay"))
                                .mode())
                        .isEqualTo(ModeSetting.LEASED_HOLD));
    }

    @Test
    void everyWordIsRead() {
        runner.withPropertyValues(
                        "refrain.http.key-requirement=mint",
                        "refrain.http.key-syntax=STRICT",
                        "refrain.http.profile=success_only",
                        "refrain.http.keep-request=Always",
                        // As YAML reads a bare off.
                        "refrain.http.log-keys=false",
                        "refrain.outgoing.inside-transaction=Warn")
                .run(context -> {
                    var properties = context.getBean(RefrainProperties.class);
                    assertThat(properties.http().keyRequirement()).isEqualTo(KeyRequirement.MINT);
                    assertThat(properties.http().keySyntax()).isEqualTo(KeySyntax.STRICT);
                    assertThat(properties.http().profile()).isEqualTo(ProfileSetting.SUCCESS_ONLY);
                    assertThat(properties.http().keepRequest()).isEqualTo(KeptRequestRule.ALWAYS);
                    assertThat(properties.http().logKeys()).isEqualTo(LoggedKeyFormat.OFF);
                    assertThat(properties.outgoing().insideTransaction()).isEqualTo(CallInTransactionPolicy.WARN);
                });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            refrain.routes.pay.mode              | leased  | transactional, leased-resume, leased-hold or flow
            refrain.routes.pay.key-requirement   | maybe   | required, optional, mint or observe
            refrain.routes.pay.key-syntax        | loose   | lenient or strict
            refrain.routes.pay.profile           | stripes | default, stripe, square, success-only or adyen
            refrain.routes.pay.keep-request      | yes     | never, encrypted or always
            refrain.http.key-syntax              | loose   | lenient or strict
            refrain.http.profile                 | 1       | default, stripe, square, success-only or adyen
            refrain.http.log-keys                | some    | shortened, full or off
            refrain.outgoing.inside-transaction  | perhaps | refuse or warn
            refrain.store.connections            | mine    | auto, shared or separate
            refrain.stores.bulk.connections      | mine    | auto, shared or separate
            """)
    void wrongWordIsReportedInOneSentenceWithTheRightOnes(String setting, String word, String may) {
        runner.withPropertyValues(setting + "=" + word).run(context -> {
            var report = new SettingValueFailureAnalyzer().analyze(context.getStartupFailure());
            assertThat(report).isNotNull();
            assertThat(report.getDescription()).isEqualTo(setting + " is '" + word + "', but may be " + may + ".");
            assertThat(report.getAction()).startsWith("Set it to one of these words");
        });
    }

    /** Spring Boot reports those itself. */
    @Test
    void otherWrongValueIsLeftToSpring() {
        runner.withPropertyValues("refrain.http.lease=soon")
                .run(context -> assertThat(new SettingValueFailureAnalyzer().analyze(context.getStartupFailure()))
                        .isNull());
    }
}
