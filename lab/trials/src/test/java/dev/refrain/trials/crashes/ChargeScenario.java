package dev.refrain.trials.crashes;
/** Ways in which a charge ends. */
enum ChargeScenario {
    SUCCEEDS,
    DECLINED,
    /** Success whose first reply is lost. */
    REPLY_LOST
}
