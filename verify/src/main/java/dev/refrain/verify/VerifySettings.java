package dev.refrain.verify;

import java.util.List;

/**
 * Everything a verification needs to know about the API under test. Immutable.
 *
 * @param otherCaller headers of another caller, replacing those of the same names; empty if there is none
 */
public record VerifySettings(
        ApiUnderTest api,
        List<OutgoingHeader> otherCaller,
        SampleBodies bodies,
        ApiExpectations expectations,
        EffectCountSource effectCount,
        VerifyLimits limits) {

    public VerifySettings {
        otherCaller = List.copyOf(otherCaller);
    }

    public static VerifySettings of(ApiUnderTest api, SampleBodies bodies) {
        return new VerifySettings(
                api,
                List.of(),
                bodies,
                ApiExpectations.of(VerifyProfile.DEFAULT),
                EffectCountSource.BY_ANSWERS,
                VerifyLimits.STANDARD);
    }

    public VerifySettings with(ApiExpectations other) {
        return new VerifySettings(api, otherCaller, bodies, other, effectCount, limits);
    }

    public VerifySettings with(EffectCountSource other) {
        return new VerifySettings(api, otherCaller, bodies, expectations, other, limits);
    }

    public VerifySettings with(VerifyLimits other) {
        return new VerifySettings(api, otherCaller, bodies, expectations, effectCount, other);
    }

    public VerifySettings with(List<OutgoingHeader> other) {
        return new VerifySettings(api, other, bodies, expectations, effectCount, limits);
    }

    VerifyProfile profile() {
        return expectations.profile();
    }
}
