package dev.refrain.internal.recover;

import dev.refrain.observe.LoggedKeyFormat;
import dev.refrain.observe.RefrainEvent;
import dev.refrain.observe.RefrainListener;
import dev.refrain.store.EscalatedRecord;
import java.util.regex.Pattern;

/** Logs records that came to attention by a worker, of which no caller learns, or in a flow: a line for each that is known, one for the others. */
public final class AttentionLog implements RefrainListener {

    private static final System.Logger LOG = System.getLogger(AttentionLog.class.getName());
    private static final Pattern UNPRINTABLE = Pattern.compile("[^\\x20-\\x7e…]");
    private static final String TO_DO =
            " Retries are refused. Find out whether it took effect, and settle the key in the"
                    + " console, or by `refrain keys resolve` or `refrain keys release`.";

    private final LoggedKeyFormat keys;

    public AttentionLog(LoggedKeyFormat keys) {
        this.keys = keys;
    }

    @Override
    public void onEvent(RefrainEvent event) {
        if (event instanceof RefrainEvent.Escalated escalated) {
            escalated
                    .records()
                    .forEach(record ->
                            warn("Unknown outcome of " + describe(record) + ": " + escalated.why() + "." + TO_DO));
            if (escalated.unlisted() > 0) {
                warn("Unknown outcome of " + escalated.unlisted()
                        + (escalated.records().isEmpty() ? "" : " more")
                        + (escalated.unlisted() == 1 ? " key" : " keys")
                        + ": work was abandoned, and whether it took effect is not known. List them in the console or by"
                        + " `refrain attention`." + TO_DO);
            }
        }
    }

    private String describe(EscalatedRecord record) {
        return record.operation().orElse(record.identity().namespace())
                + keys.show(record.identity().key()) + ", record " + record.id();
    }

    private static void warn(String line) {
        LOG.log(System.Logger.Level.WARNING, UNPRINTABLE.matcher(line).replaceAll("?"));
    }
}
