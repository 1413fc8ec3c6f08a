package dev.refrain.store.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;

/**
 * What every store promises, as tests. A store's test class extends this, implements the suite of each ability that the store has, and
 * says how the store is opened; see the package for an example.
 *
 * <p>Each test has a harness and an empty store of its own. Tests of one class run one after the other.
 */
@DisplayNameGeneration(SentenceDisplayNameGenerator.class)
public abstract class StoreContract
        implements AbilityContractTests,
                ClaimContractTests,
                FenceContractTests,
                LeaseContractTests,
                ExpiryContractTests,
                OutcomeBytesContractTests,
                LostReplyContractTests,
                BatchContractTests,
                RejectedRowContractTests,
                ScopeIsolationContractTests,
                FindContractTests,
                RecoveryPointContractTests,
                AttentionContractTests,
                ResolutionContractTests,
                SweepContractTests,
                ReapContractTests,
                StoredFormatContractTests,
                ConcurrencyContractTests,
                WorkerRaceContractTests {

    private StoreTestClient client;

    /** A new harness, whose store has no records. */
    protected abstract StoreHarness newHarness();

    @BeforeEach
    final void openStore() {
        var harness = newHarness();
        client = new StoreTestClient(harness, harness.open());
    }

    @AfterEach
    final void closeStore() {
        client.harness().close();
    }

    @Override
    public final StoreTestClient client() {
        return client;
    }
}
