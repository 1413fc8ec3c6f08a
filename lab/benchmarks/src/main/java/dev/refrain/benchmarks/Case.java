package dev.refrain.benchmarks;

import java.util.List;

/** One row of the table: something that is promised, and how it is measured. */
interface Case {

    Title title();

    /** Whether it takes minutes, and a quick run leaves it out. */
    default boolean isLong() {
        return false;
    }

    Result measure(Lab lab, Meter meter) throws Exception;

    /** All of them, in the order of the table. */
    static List<Case> all() {
        return List.of(
                new TransactionalCase(),
                LeasedCase.with128Callers(),
                LeasedCase.with32Callers(),
                new LeasedVsNaiveCase(),
                ReplayCase.throughTheBatcher(),
                ReplayCase.cached(),
                new GrowthCase(),
                new ReaperCase(),
                new SqliteCase(),
                new ParkedCase(),
                new IdleCase(),
                new HttpCase(),
                new HttpReplayCase(),
                new FlowCase(),
                new CompleterCase(),
                new OutboxCase(),
                new GatewayCase(),
                new GatewayReplayCase(),
                new GatewayParkedCase());
    }
}
