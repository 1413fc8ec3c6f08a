package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.FrozenShop.BOOK;
import static dev.refrain.trials.upgrades.FrozenShop.SCOPE;
import static dev.refrain.trials.upgrades.FrozenShop.order;
import static dev.refrain.trials.upgrades.ShopHistory.call;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.api.OperationResult;
import dev.refrain.store.RecordState;
import dev.refrain.trials.upgrades.FrozenShop.OrderReceipt;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Encrypted data of older versions is read with the ring that knows its secrets. */
@ParameterizedClass
@MethodSource("dumps")
class OldEncryptedDataTest extends OldDataTestBase {

    @Test
    void encryptedRowsAreReadWithTheRingThatKnowsBothSecrets() throws Exception {
        load(TEN_MINUTES);
        var sealed = opened(FrozenShop.encrypted(database, FrozenShop.newRing()));
        for (String age : List.of("old", "new")) {
            assertThat(replayed(sealed.answers().runForResult(call("sealed-" + age), OldDataTestBase::never)))
                    .isEqualTo(FrozenShop.binaryAnswer());
            assertThat(sealed.transacted()
                            .<RuntimeException>run(
                                    OperationCall.scope(SCOPE)
                                            .key("sealed-transacted-" + age)
                                            .request(BOOK),
                                    (claim, tx) -> never(claim)))
                    .isEqualTo(new OrderReceipt(age, "ch"));
        }
        assertThatThrownBy(() -> FrozenShop.encrypted(database, FrozenShop.foreignRing()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the ring has none of them");

        assertThat(replayed(sealed.answers().runForResult(call("binary-200"), OldDataTestBase::never)))
                .isEqualTo(FrozenShop.binaryAnswer());
    }

    @Test
    void encryptedFlowsGoOnByRetryAndByCompleter() throws Exception {
        load(TEN_MINUTES);
        var sealed = opened(FrozenShop.encrypted(database, FrozenShop.newRing()));
        var flow = sealed.honoured("orders.sealed");
        var ran = (OperationResult.Ran) sealed.flows.runForResult(flow, order("sealed-flow-old"));
        try (var completer = sealed.flows.startCompleter(completion(), List.of(flow))) {
            await(() -> assertThat(
                            sealed.record("orders.sealed", "sealed-flow-new").state())
                    .isEqualTo(RecordState.COMPLETED));
        }

        assertThat(text(ran.answer())).contains("\"" + fact("sealed.charge.old") + "\"");
        assertThat(text(replayed(sealed.flows.runForResult(flow, order("sealed-flow-new")))))
                .contains("\"" + fact("sealed.charge.new") + "\"");
        assertThat(sealed.bank.sent()).isEmpty();
        assertThat(sealed.notes).hasSize(2).containsOnly("orders.sealed charged order of a book for ann");
        assertThat(sealed.record("orders.sealed", "sealed-flow-old").id()).hasToString(fact("sealed-flow-old.id"));
    }
}
