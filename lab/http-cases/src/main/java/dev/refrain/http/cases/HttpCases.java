package dev.refrain.http.cases;

/** All cases that hold for every edge. Implement it with a stage, and run it as a JUnit test. */
public interface HttpCases
        extends ReplayCases,
                KeyCases,
                RefusalCases,
                KeepingCases,
                InFlightCases,
                BodyCases,
                FailureCases,
                PublishedCases {}
