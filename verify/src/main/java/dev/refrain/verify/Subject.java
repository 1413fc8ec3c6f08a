package dev.refrain.verify;

import java.util.List;

/**
 * All that is known of what is verified.
 *
 * @param otherCaller headers of another caller, instead of those of the same names; empty if there is none
 */
public record Subject(Api api, List<Header> otherCaller, Bodies bodies, Promise expectations, Sight effectCount, Limits limits) {

    public Subject {
        otherCaller = List.copyOf(otherCaller);
    }

    public static Subject of(Api api, Bodies bodies) {
        return new Subject(api, List.of(), bodies, Promise.of(Profile.DEFAULT), Sight.BY_ANSWERS, Limits.STANDARD);
    }

    public Subject with(Promise other) {
        return new Subject(api, otherCaller, bodies, other, effectCount, limits);
    }

    public Subject with(Sight other) {
        return new Subject(api, otherCaller, bodies, expectations, other, limits);
    }

    public Subject with(Limits other) {
        return new Subject(api, otherCaller, bodies, expectations, effectCount, other);
    }

    public Subject with(List<Header> other) {
        return new Subject(api, other, bodies, expectations, effectCount, limits);
    }

    Profile profile() {
        return expectations.profile();
    }
}
