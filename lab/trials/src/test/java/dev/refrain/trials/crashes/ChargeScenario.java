package dev.refrain.trials.crashes;
/** What becomes of the money. */
enum ChargeScenario {
    SUCCEEDS,
    DECLINED,
    /** It succeeds, but the first reply is lost on its way. */
    REPLY_LOST
}
