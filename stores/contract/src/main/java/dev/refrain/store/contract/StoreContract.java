package dev.refrain.store.contract;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;

/**
 * Tests that every store must pass. A store's test class extends this, implements the suite of each ability that the store has,
 * and creates the harness; see the package for an example.
 *
 * <p>Each test has its own harness and an empty store. Tests of one class run sequentially.
 */
@DisplayNameGeneration(SentenceDisplayNameGenerator.class)
public abstract class StoreContract
        implements AbilityContractTests,
                ClaimContractTests,
                FenceContractTests,
                LeaseContractTests,
                ExpiryContractTests,
                ClockContractTests,
                OutcomeBytesContractTests,
                LostReplyContractTests,
                BatchContractTests,
                RejectedRowContractTests,
                ScopeIsolationContractTests,
                FindContractTests,
                RecoveryPointContractTests,
                AttentionContractTests,
                ExplanationContractTests,
                ResolutionContractTests,
                SweepContractTests,
                ReapContractTests,
                StoredFormatContractTests,
                ConcurrencyContractTests,
                WorkerRaceContractTests {

    private StoreTestClient client;

    /** Creates a harness whose store has no records. */
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
