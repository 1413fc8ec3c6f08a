-- For PostgreSQL and SQLite. Amounts are in the smallest unit of their currency, times in milliseconds since 1970.

-- operation: the derived key of the charge at the bank. Only that operation may continue the payment.
CREATE TABLE IF NOT EXISTS payment (
    id             TEXT   NOT NULL PRIMARY KEY,
    merchant       TEXT   NOT NULL,
    amount         BIGINT NOT NULL CHECK (amount > 0),
    currency       TEXT   NOT NULL,
    payment_method TEXT   NOT NULL,
    description    TEXT,
    status         TEXT   NOT NULL CHECK (status IN ('requires_capture', 'processing', 'succeeded', 'declined')),
    operation      TEXT,
    charge         TEXT,
    decline_code   TEXT,
    refunded       BIGINT NOT NULL DEFAULT 0,
    created        BIGINT NOT NULL,

    CONSTRAINT payment_is_refunded_once CHECK (refunded BETWEEN 0 AND amount),
    CONSTRAINT payment_is_refunded_after_capture CHECK (refunded = 0 OR status = 'succeeded'),
    CONSTRAINT payment_has_an_operation CHECK ((status = 'requires_capture') = (operation IS NULL)),
    CONSTRAINT payment_has_its_charge CHECK ((status = 'succeeded') = (charge IS NOT NULL)),
    CONSTRAINT payment_has_its_reason CHECK ((status = 'declined') = (decline_code IS NOT NULL))
);

CREATE INDEX IF NOT EXISTS payment_by_time ON payment (merchant, created, id);

-- The amount of a pending refund is reserved in payment.refunded.
CREATE TABLE IF NOT EXISTS refund (
    id           TEXT   NOT NULL PRIMARY KEY,
    payment      TEXT   NOT NULL REFERENCES payment,
    amount       BIGINT NOT NULL CHECK (amount > 0),
    status       TEXT   NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
    operation    TEXT   NOT NULL UNIQUE,
    decline_code TEXT,
    created      BIGINT NOT NULL,

    CONSTRAINT refund_has_its_reason CHECK ((status = 'failed') = (decline_code IS NOT NULL))
);

-- Double entry: the amounts of a booking sum up to zero. A booking has one entry per account, so it cannot be made twice.
CREATE TABLE IF NOT EXISTS ledger_entry (
    booking  TEXT   NOT NULL,
    account  TEXT   NOT NULL CHECK (account IN ('customers', 'pending', 'available', 'bank')),
    merchant TEXT   NOT NULL,
    currency TEXT   NOT NULL,
    amount   BIGINT NOT NULL CHECK (amount <> 0),

    PRIMARY KEY (booking, account)
);

CREATE INDEX IF NOT EXISTS ledger_entry_by_merchant ON ledger_entry (merchant);
