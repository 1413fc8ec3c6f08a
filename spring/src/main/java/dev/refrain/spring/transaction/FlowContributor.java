package dev.refrain.spring.transaction;

import dev.refrain.flow.Flow;
import java.sql.Connection;
import java.util.List;

/** Adds flows that are not beans themselves, such as those of sagas, to the application's completer. */
@FunctionalInterface
interface FlowContributor {

    List<Flow<?, ?, Connection>> flows();
}
