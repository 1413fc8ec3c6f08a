package dev.refrain.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Place to crash at, identified by its name: its number changes whenever a lease is renewed before it.
 *
 * @param occurrence the number among the crash points of the same name, from 1
 */
record CrashPoint(String name, int occurrence) {

    /** Returns the crash points for names in the order of their occurrence. */
    static List<CrashPoint> of(List<String> names) {
        Map<String, Integer> times = new HashMap<>();
        var boundaries = new ArrayList<CrashPoint>();
        for (String name : names) {
            boundaries.add(new CrashPoint(name, times.merge(name, 1, Integer::sum)));
        }
        return boundaries;
    }

    @Override
    public String toString() {
        return occurrence == 1 ? name : name + " (" + occurrence + ")";
    }
}
