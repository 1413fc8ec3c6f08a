package dev.refrain.http.cases;
/** All cases of the HTTP contract. Implement it with a harness, and run it as a JUnit test. */
public interface AllEdgeTestCases
        extends ReplayTestCases,
                KeyTestCases,
                RefusalTestCases,
                StoredResponseTestCases,
                InFlightTestCases,
                RequestBodyTestCases,
                StoreFailureTestCases,
                PublishedContractTestCases {}
