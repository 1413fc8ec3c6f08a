package dev.refrain.examples.spring;

import java.security.Principal;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What we owe to a merchant, as Stripe shows it. */
@RestController
class BalanceController {

    record Answer(String object, List<Ledger.Balance> available, List<Ledger.Balance> pending, boolean livemode) {}

    private final Ledger ledger;

    BalanceController(Ledger ledger) {
        this.ledger = ledger;
    }

    @GetMapping("/v1/balance")
    Answer get(Principal merchant) {
        return new Answer(
                "balance",
                ledger.balances(merchant.getName(), Ledger.Account.AVAILABLE),
                ledger.balances(merchant.getName(), Ledger.Account.PENDING),
                false);
    }
}
