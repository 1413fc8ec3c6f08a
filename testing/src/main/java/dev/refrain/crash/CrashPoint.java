package dev.refrain.crash;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A place to crash at. By its name and not by its number among all, which shifts whenever a lease is renewed in between.
 *
 * @param occurrence the how manieth boundary of that name, counted from 1
 */
record CrashPoint(String name, int occurrence) {

    /** These names, one after the other. */
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
