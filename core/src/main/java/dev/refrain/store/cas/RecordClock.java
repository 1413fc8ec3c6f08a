package dev.refrain.store.cas;

import java.time.Duration;
import java.time.Instant;

/** Allowances for a clock that was set back, or that differs between instances, in the times of records. */
public interface RecordClock {

    /** Returns by how much an age counted from this moment may fall short, because the clock was set back or belongs to another instance. */
    Duration shortfallSince(Instant moment);

    /** Returns by how much the clock was set back without anybody having noted it yet. */
    Duration unnoted(Instant now);

    /** Returns for how long after its retention a record is still kept, because another instance's clock may be behind. */
    Duration allowance();

    /** Notes a time that an age will be counted from. */
    void note(Instant moment);

    /** Looks at the clock before a claim is taken over. */
    void look(Instant now);

    /** Returns the clocks of instances that differ by this much at most. */
    static RecordClock ofInstances(Duration allowance) {
        return new InstanceClocks(allowance);
    }
}
