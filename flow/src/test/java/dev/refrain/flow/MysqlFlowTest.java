package dev.refrain.flow;

import dev.refrain.servers.FlowTestDatabase;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@EnabledIfSystemProperty(named = "tests.stores", matches = "true", disabledReason = "needs MariaDB: -Pstores")
class MysqlFlowTest extends FlowContract {

    @Override
    FlowTestDatabase database() {
        return FlowTestDatabase.mariadb();
    }

    @Test
    @Disabled("There are no deferred constraints here: one server alone refuses no commit.")
    @Override
    void phaseWhoseCommitIsRefusedHasFailedAndMayLeadElsewhere() {}
}
