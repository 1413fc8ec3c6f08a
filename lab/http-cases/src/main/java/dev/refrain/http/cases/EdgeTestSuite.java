package dev.refrain.http.cases;
/** All cases of the HTTP contract. Implement it with a harness, and run it as a JUnit test. */
public interface EdgeTestSuite
        extends ReplayTestCases,
                KeyTestCases,
                RefusalTestCases,
                StoredResponseTestCases,
                InFlightTestCases,
                RequestBodyTestCases,
                BufferTestCases,
                KeptRequestTestCases,
                StoreFailureTestCases,
                PublishedContractTestCases,
                UnusualRequestTestCases {}
