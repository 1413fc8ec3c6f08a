-- Record, outcome and COMMIT of a transaction of ours in one round trip.
{settle_once};

COMMIT
