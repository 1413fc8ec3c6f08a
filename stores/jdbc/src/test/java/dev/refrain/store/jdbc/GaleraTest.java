package dev.refrain.store.jdbc;

import static dev.refrain.store.jdbc.TwinTraffic.KEYS;
import static dev.refrain.store.jdbc.TwinTraffic.awaitAll;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.refrain.servers.GaleraCluster;
import dev.refrain.servers.MariadbServer;
import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import dev.refrain.store.jdbc.TwinTraffic.AppInstance;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Two instances on two nodes of a Galera cluster of three that run the same keys at once: each key takes effect once, and none is lost. */
@EnabledIfSystemProperty(named = "tests.long", matches = "true", disabledReason = "starts a cluster: -Plong")
@EnabledIf(
        value = "dev.refrain.servers.GaleraCluster#isAvailable",
        disabledReason = "needs Galera: -Drefrain.test.galera.library=…")
class GaleraTest {

    private final GaleraCluster cluster = GaleraCluster.start();
    private final String database = cluster.freshDatabase();
    private final TwinTraffic traffic = new TwinTraffic();
    private AppInstance first;
    private AppInstance second;

    @BeforeEach
    void open() {
        first = instance(0, 2, 1);
        second = instance(1);
    }

    /** Its driver goes to the next of these nodes if the first is gone. */
    private AppInstance instance(Integer... nodes) {
        String url = cluster.url(List.of(nodes), database);
        return traffic.instance(url, MariadbServer.dataSource(url));
    }

    @AfterEach
    void close() {
        traffic.close();
        cluster.close();
    }

    private DataSource node(int node) {
        return MariadbServer.dataSource(cluster.url(node, database));
    }

    private long conflicts() {
        long all = 0;
        for (int node = 0; node < cluster.size(); node++) {
            var sql = new RawSql(node(node));
            all += sql.number("SELECT sum(variable_value) FROM information_schema.global_status"
                    + " WHERE variable_name IN ('WSREP_LOCAL_CERT_FAILURES', 'WSREP_LOCAL_BF_ABORTS')");
        }
        return all;
    }

    @Test
    void twinsOnTwoNodesTakeEffectOnceAlthoughTheirCommitsConflict() throws Exception {
        var sent = new ArrayList<>(first.send());
        sent.addAll(second.send());
        awaitAll(sent);

        traffic.assertNothingDoubledAndNothingLost(node(0), node(1), node(2));
        assertThat(conflicts()).isPositive();
    }

    @Test
    void nodeThatIsKilledUnderLoadLosesAndDoublesNothing() throws Exception {
        var sent = new ArrayList<>(first.send());
        sent.addAll(second.send());
        traffic.awaitAnswered(KEYS);
        cluster.killHard(0);
        awaitAll(sent);

        traffic.assertNothingDoubledAndNothingLost(node(1), node(2));
    }

    /** The node that is cut off answers nobody; the instance beside it waits, and finds what was done meanwhile. */
    @Test
    void nodeThatIsCutOffUnderLoadLosesAndDoublesNothing() throws Exception {
        var there = first.send();
        var cutOff = second.send();
        traffic.awaitAnswered(KEYS);
        cluster.cutOff(1);
        assertThatThrownBy(() -> second.pay("while-it-is-cut-off"))
                .asInstanceOf(type(StoreException.class))
                .returns(true, StoreException::isTransient)
                .returns(Effect.NONE, StoreException::effect);
        awaitAll(there);
        cluster.rejoin(1);
        awaitAll(cutOff);

        traffic.assertNothingDoubledAndNothingLost(node(0), node(1), node(2));
    }
}
