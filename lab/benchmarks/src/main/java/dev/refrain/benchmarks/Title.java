package dev.refrain.benchmarks;

import java.util.List;

/**
 * What a case is called and has to reach.
 *
 * @param what the two sides, in words
 * @param unit of the number that is compared with the bar
 */
public record Title(String name, String what, String unit, Bar bar) {

    static final String THROUGHPUT = "ratio of calls per second";

    /** A case that compares how many calls per second two sides manage. */
    static Title throughput(String name, String what, double atLeast) {
        return new Title(name, what, THROUGHPUT, Bar.atLeast(atLeast));
    }

    Result reached(Compared compared, List<Reading> readings) {
        return new Result(this, compared.ratio(Slice::perSecond), compared.pairs(), readings, compared.figures());
    }
}
