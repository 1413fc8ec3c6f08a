package dev.refrain.http.cases;
/** All cases that hold for every edge. Implement it with a stage, and run it as a JUnit test. */
public interface AllEdgeTestCases
        extends ReplayTestCases,
                KeyTestCases,
                RefusalTestCases,
                StoredResponseTestCases,
                InFlightTestCases,
                RequestBodyTestCases,
                StoreFailureTestCases,
                PublishedContractTestCases {}
