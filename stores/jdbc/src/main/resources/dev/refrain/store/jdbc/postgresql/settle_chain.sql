-- The same, and the next transaction begins. It is at the same isolation level, which the work cannot have changed, because
-- it was not the first to ask something in its transaction.
{settle_once};

COMMIT AND CHAIN
