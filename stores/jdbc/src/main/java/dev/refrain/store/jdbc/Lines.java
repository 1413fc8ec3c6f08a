package dev.refrain.store.jdbc;

import dev.refrain.store.jdbc.Line.Passage;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** The lines in which transactions wait for their connections: one for those of our own, and one for each that manages others. */
final class Lines {

    private static final String NO_LIMITS = "";

    private final DataSource application;
    private final boolean handOn;
    private final Scripts scripts;
    private final Timeouts timeouts;
    private final LongSupplier nanoTime;
    private final List<Line> all = new CopyOnWriteArrayList<>();

    /** @param alike whether it does not matter whose thread took a connection */
    Lines(DataSource application, boolean alike, Scripts scripts, Timeouts timeouts, LongSupplier nanoTime) {
        this.application = application;
        this.handOn = alike && scripts.dialect().commitsInPipeline();
        this.scripts = scripts;
        this.timeouts = timeouts;
        this.nanoTime = nanoTime;
    }

    Line toPool() {
        return added(
                () -> handOn,
                () -> passage(PooledTransaction.begin(application.getConnection(), scripts.dialect(), timeouts)));
    }

    Line to(TransactionSource source) {
        return added(
                () -> handOn && source.acceptsMovedTransaction(),
                () -> passage(ManagedTransaction.begin(source, scripts.dialect())));
    }

    private Line added(BooleanSupplier handsOn, Line.Pool pool) {
        var line = new Line(handsOn, pool, nanoTime);
        all.add(line);
        return line;
    }

    private Passage passage(OpenTransaction own) {
        return Passage.fromPool(own, new Session(own.connection(), scripts, NO_LIMITS), nanoTime.getAsLong());
    }

    /** Nobody waits too long for another's commit. */
    void giveBackTakenBefore(long moment) {
        all.forEach(line -> line.giveBackTakenBefore(moment));
    }
}
