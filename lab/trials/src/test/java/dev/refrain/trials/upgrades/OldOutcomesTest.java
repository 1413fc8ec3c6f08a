package dev.refrain.trials.upgrades;

import static dev.refrain.trials.upgrades.FrozenShop.BOOK;
import static dev.refrain.trials.upgrades.FrozenShop.SCOPE;
import static dev.refrain.trials.upgrades.ShopHistory.call;
import static dev.refrain.trials.upgrades.ShopHistory.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.refrain.OperationCall;
import dev.refrain.RequestFingerprinter;
import dev.refrain.api.ClientKey;
import dev.refrain.api.OperationResult;
import dev.refrain.api.Outcome;
import dev.refrain.api.OutcomeNotKeptException;
import dev.refrain.api.ReplayedFailureException;
import dev.refrain.api.RequestMismatchException;
import dev.refrain.api.ScopedKey;
import dev.refrain.flow.FlowRequest;
import dev.refrain.trials.upgrades.FrozenShop.OrderReceipt;
import dev.refrain.trials.upgrades.FrozenShop.OrderRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Data of older versions: nothing is lost, and what is done is replayed and never runs again. */
@ParameterizedClass
@MethodSource("dumps")
class OldOutcomesTest extends OldDataTestBase {

    /** Its rows are marks of the store's own, which come and go. */
    private static final String MARKS = "refrain_meta";

    @Test
    void nothingIsLostByOpening() throws Exception {
        open(TEN_MINUTES);
        requireEveryRow();
        requireEverythingAsItWas();
        requireCounted();
    }

    private void requireEveryRow() throws Exception {
        try (var connection = database.source().getConnection()) {
            var written = new TreeMap<>(dump.rows());
            written.remove(MARKS);
            for (var table : written.entrySet()) {
                assertThat(EmptyDatabase.number(connection, "SELECT count(*) FROM " + table.getKey()))
                        .as(table.getKey())
                        .isEqualTo(table.getValue());
            }
        }
    }

    private void requireCounted() {
        var census = shop.refrain.admin().unsettledCounts();

        assertThat(census.inProgress()).isEqualTo(7);
        assertThat(census.leaseOver()).isEqualTo(5);
        assertThat(census.attention()).isEqualTo(7);
        assertThat(shop.store.countKeys(SCOPE, ALL)).isEqualTo(recordsSeen() - 2);
        // By its key: an id says when it was minted, and the times of the rows are shifted away from that.
        assertThat(shop.store.recordBrowser().find(new ScopedKey(SCOPE, "answers", "binary-200")))
                .isPresent();
        assertThat(shop.store
                        .recordBrowser()
                        .audit(shop.record("transferring", "resolved").id(), 10))
                .singleElement()
                .satisfies(entry -> assertThat(entry.who()).isEqualTo("ann"));
        assertThat(shop.sagas.unfinished(shop.placing(), 10)).hasSize(4);
    }

    private long recordsSeen() {
        return facts.keySet().stream()
                .filter(name -> name.startsWith("seen.record."))
                .count();
    }

    @Test
    void completedOutcomesAreReplayedByteForByte() throws Exception {
        open(TEN_MINUTES);
        requireAnswers();
        requireValues();
        requireEndings();
        requireEverythingAsItWas();
    }

    private void requireAnswers() {
        assertThat(replayed(shop.answers().runForResult(call("binary-200"), OldDataTestBase::never)))
                .isEqualTo(FrozenShop.binaryAnswer());
        assertThat(replayed(shop.answers().runForResult(call("empty-204"), OldDataTestBase::never)))
                .isEqualTo(Outcome.Answer.of(204, new byte[0]));
        assertThat(replayed(shop.answers().runForResult(call("declined-402"), OldDataTestBase::never)))
                .isEqualTo(Outcome.Answer.of(402, utf8("declined")));
        assertThat(replayed(shop.forADay().runForResult(call("for-a-day"), OldDataTestBase::never)))
                .isEqualTo(Outcome.Answer.of(200, utf8("today")));
        assertThat(replayed(shop.answers().runForResult(call("not-erased"), OldDataTestBase::never)))
                .isEqualTo(Outcome.Answer.of(200, utf8("of dora")));
        for (String key : List.of("binary-200", "empty-204", "declined-402")) {
            assertThat(shop.record("answers", key).id()).hasToString(fact(key + ".id"));
        }
    }

    private void requireValues() {
        assertThat(shop.receipts()
                        .<RuntimeException>run(
                                OperationCall.scope(SCOPE).key("typed-value").request(BOOK), OldDataTestBase::never))
                .isEqualTo(new OrderReceipt("order-7", "ch_7"));
        assertThat(shop.receipts()
                        .<RuntimeException>run(
                                OperationCall.scope(SCOPE).key("typed-nothing").request(BOOK), OldDataTestBase::never))
                .isNull();
        assertThat(shop.transacted()
                        .<RuntimeException>run(
                                OperationCall.scope(SCOPE).key("transacted").request(BOOK),
                                (claim, tx) -> never(claim)))
                .isEqualTo(new OrderReceipt("order-8", "ch_8"));
        assertThat(shop.transferring(TEN_MINUTES).<RuntimeException>run(call("resolved"), OldDataTestBase::never))
                .isEqualTo("the bank says yes");
    }

    /** Those without an answer, too. */
    private void requireEndings() {
        assertThatThrownBy(() -> shop.failures().run(call("kept-failure"), OldDataTestBase::never))
                .isInstanceOfSatisfying(ReplayedFailureException.class, failure -> {
                    assertThat(failure.type())
                            .isEqualTo(FrozenShop.ON_FIRE.getClass().getName());
                    assertThat(failure.originalMessage()).isEqualTo(FrozenShop.ON_FIRE.getMessage());
                });
        assertThatThrownBy(() -> shop.marks().run(call("state-only"), OldDataTestBase::never))
                .isInstanceOf(OutcomeNotKeptException.class);
    }

    @Test
    void erasedRecordIsNeverRunAgainUnlessItNeverRan() throws Exception {
        open(TEN_MINUTES);
        assertThat(shop.answers()
                        .runForResult(
                                OperationCall.scope(SCOPE).key("erased").request("any request"),
                                OldDataTestBase::never))
                .isInstanceOfSatisfying(OperationResult.Replayed.class, replayed -> {
                    assertThat(replayed.outcome()).isInstanceOf(Outcome.StateOnly.class);
                    assertThat(replayed.id()).hasToString(fact("erased.id"));
                });
        var ids = new ArrayList<String>();
        shop.answers()
                .runForResult(OperationCall.scope(SCOPE).key("erased-released").request("any request"), claim -> {
                    ids.add(claim.recordId().toString());
                    return Outcome.Answer.of(200, utf8("now"));
                });
        assertThat(ids).containsExactly(fact("erased-released.id"));
    }

    @Test
    void anotherRequestUnderAnOldKeyIsRefused() throws Exception {
        open(TEN_MINUTES);
        for (var key : List.of("binary-200", "empty-204", "not-erased")) {
            mismatched(shop.answers()
                    .runForResult(
                            OperationCall.scope(SCOPE).key(key).request("another request"), OldDataTestBase::never));
        }
        for (var key : List.of("resume-over", "released", "live-lease", "swept")) {
            mismatched(shop.charging()
                    .runForResult(
                            OperationCall.scope(SCOPE).key(key).request("another request"), OldDataTestBase::never));
        }
        for (var key : List.of("hold-over", "hold-retried", "let-run-again", "resolved")) {
            mismatched(shop.transferring(TEN_MINUTES)
                    .runForResult(
                            OperationCall.scope(SCOPE).key(key).request("another request"), OldDataTestBase::never));
        }
        for (var key : List.of("at-start", "at-charged", "sent-arrived", "flow-done")) {
            mismatched(shop.flows.runForResult(
                    shop.honoured("orders.keys"),
                    FlowRequest.of(ClientKey.scope(SCOPE).key(key), new OrderRequest("book", 701))));
        }
        assertThatThrownBy(() -> shop.transacted()
                        .run(
                                OperationCall.scope(SCOPE).key("transacted").request(new OrderRequest("b", 1)),
                                (claim, tx) -> never(claim)))
                .isInstanceOf(RequestMismatchException.class);
        assertThat(shop.notes).isEmpty();
        assertThat(shop.bank.sent()).isEmpty();
        requireEverythingAsItWas();
    }

    @Test
    void requestsOverHttpAreComparedAsTheyWereThen() throws Exception {
        open(TEN_MINUTES);
        var answer = Outcome.Answer.of(201, utf8("posted"));
        for (String key : List.of("http-former", "http-hmac", "http-excluding", "http-selecting")) {
            for (String like : List.of(FrozenShop.POSTED, FrozenShop.POSTED_ALIKE)) {
                assertThat(replayed(posted(key, like, FrozenShop.hmac())))
                        .as(key)
                        .isEqualTo(answer);
            }
        }
        assertThat(replayed(posted("http-excluding", FrozenShop.POSTED_LATER, FrozenShop.hmac())))
                .isEqualTo(answer);
        assertThat(replayed(posted("http-selecting", FrozenShop.POSTED_LATER.replace("7", "8"), FrozenShop.hmac())))
                .isEqualTo(answer);
        mismatched(posted("http-selecting", FrozenShop.POSTED.replace("article", "title"), FrozenShop.hmac()));
        var form = OperationCall.scope(SCOPE).key("http-form").request(FrozenShop.form("a=1&b=%c3%bc"));
        assertThat(replayed(shop.http(FrozenShop.hmac()).runForResult(form, OldDataTestBase::never)))
                .isEqualTo(answer);
        mismatched(shop.http(FrozenShop.hmac())
                .runForResult(
                        OperationCall.scope(SCOPE).key("http-form").request(FrozenShop.form("a=1&b=u")),
                        OldDataTestBase::never));
        for (String key : List.of("http-former", "http-hmac")) {
            mismatched(posted(key, FrozenShop.POSTED_LATER, FrozenShop.hmac()));
        }
        mismatched(posted("http-excluding", FrozenShop.POSTED.replace("7.0", "7.1"), FrozenShop.excluding()));
    }

    private OperationResult posted(String key, String json, RequestFingerprinter fingerprinter) {
        return shop.http(fingerprinter)
                .runForResult(
                        OperationCall.scope(SCOPE).key(key).request(FrozenShop.posted(json)), OldDataTestBase::never);
    }
}
