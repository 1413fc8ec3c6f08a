-- For a transaction of our own that begins where another has just committed, in the same round trip.
BEGIN;

{take_lock};

{read_entered}
