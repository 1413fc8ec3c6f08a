package dev.refrain.store.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;

/**
 * Everything a store promises, as tests. A store's test class extends this and says how the store is opened; see the
 * package for an example.
 *
 * <p>Each test has a harness and an empty store of its own. Tests of one class run one after the other.
 */
@DisplayNameGeneration(SentenceDisplayNameGenerator.class)
public abstract class StoreContract
        implements ClaimContractTests,
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
                AbandonedWorkContractTests,
                ReapContractTests,
                ErasureContractTests,
                ScopeCountContractTests,
                CensusContractTests,
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
