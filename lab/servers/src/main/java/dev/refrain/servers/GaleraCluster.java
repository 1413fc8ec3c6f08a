package dev.refrain.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Cluster of three nodes of MariaDB, which Galera keeps alike: the MariaDB of the class path, and a Galera library that the system property
 * {@code refrain.test.galera.library} names (on Debian {@code /usr/lib/galera/libgalera_smm.so} of the package {@code galera-4}).
 *
 * <pre>{@code
 * try (var cluster = GaleraCluster.start()) {
 *     String database = cluster.freshDatabase();
 *     String url = cluster.url(0, database);
 *     ...
 *     cluster.killHard(0);   // SIGKILL
 *     cluster.cutOff(1);     // neither hears the others nor is heard by them
 * }
 * }</pre>
 */
public final class GaleraCluster implements AutoCloseable {

    private static final String LIBRARY = "refrain.test.galera.library";
    private static final int NODES = 3;
    private static final String METHOD = "missed";

    /** All begin with the same data. The node that joins is told up to where it has it; what it missed comes from another's memory. */
    private static final String HANDOVER = """
            #!/bin/sh
            while [ $# -gt 0 ]; do
              case "$1" in
                --role) role=$2 ;;
                --address) address=$2 ;;
                --gtid) gtid=$2 ;;
                --bypass) bypass=yes ;;
              esac
              shift
            done
            if [ "$role" = joiner ]; then
              rm -f '@file@'
              echo "ready $address"
              while [ ! -s '@file@' ]; do sleep 0.1; done
              cat '@file@'
            else
              [ "$bypass" = yes ] || exit 1
              echo "$gtid" > '@file@.new' && mv '@file@.new' '@file@'
              echo "done $gtid"
            fi
            """;

    private static final Duration WHOLE_WITHIN = Duration.ofMinutes(1);

    private final ScratchDirectory shared;
    private final List<ManagedMariadb> nodes;

    private GaleraCluster(ScratchDirectory shared, List<ManagedMariadb> nodes) {
        this.shared = shared;
        this.nodes = nodes;
    }

    /** Returns true if a library is named, and there is a MariaDB for this platform. */
    public static boolean isAvailable() {
        return !System.getProperty(LIBRARY, "").isEmpty() && MariadbBinaries.areThere() && !MariadbBinaries.mysql();
    }

    /** Starts the nodes and returns when each sees all of them. */
    public static GaleraCluster start() {
        var shared = ScratchDirectory.create(ScratchDirectory.base());
        var nodes = new ArrayList<ManagedMariadb>();
        try {
            var ports = new ArrayList<Integer>();
            for (int i = 0; i < NODES; i++) {
                ports.add(ManagedMariadb.freePort());
            }
            var first = ManagedMariadb.launched(MariadbBinaries::mariadb, options(ports, 0));
            nodes.add(first);
            awaitSize(first, 1);
            first.stop();
            for (int i = 1; i < NODES; i++) {
                nodes.add(ManagedMariadb.copyOf(first, options(ports, i)));
            }
            for (int i = 0; i < NODES; i++) {
                prepare(nodes.get(i).folder(), shared.path().resolve("handover"));
                nodes.get(i).restart();
                awaitSize(nodes.get(i), i + 1);
            }
            nodes.forEach(node -> awaitSize(node, NODES));
            return new GaleraCluster(shared, List.copyOf(nodes));
        } catch (RuntimeException | SQLException e) {
            nodes.forEach(ManagedMariadb::close);
            shared.close();
            throw new TestServerException("The cluster did not start.", e);
        }
    }

    private static List<String> options(List<Integer> ports, int node) {
        int port = ports.get(node);
        String addresses = node == 0
                ? ""
                : ports.subList(0, node).stream().map(p -> "127.0.0.1:" + p).collect(Collectors.joining(","));
        return List.of(
                "--wsrep-on=ON",
                // With it, options cannot be set while the server runs.
                "--plugin-wsrep-provider=OFF",
                "--wsrep-provider=" + System.getProperty(LIBRARY),
                "--wsrep-cluster-name=refrain",
                "--wsrep-cluster-address=gcomm://" + addresses,
                "--wsrep-node-name=node" + node,
                "--wsrep-sst-method=" + METHOD,
                "--wsrep-node-address=127.0.0.1:" + port,
                "--wsrep-provider-options=gmcast.listen_addr=tcp://127.0.0.1:" + port + ";ist.recv_addr=127.0.0.1:"
                        + ManagedMariadb.freePort() + ";gcache.size=32M",
                "--binlog-format=ROW",
                "--innodb-autoinc-lock-mode=2");
    }

    private static void prepare(Path node, Path handover) {
        try {
            Path script = node.resolve("wsrep_sst_" + METHOD);
            Files.writeString(script, HANDOVER.replace("@file@", handover.toString()));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        } catch (IOException e) {
            throw new UncheckedIOException("Could not prepare a node in " + node, e);
        }
    }

    private static void awaitSize(ManagedMariadb node, int size) {
        ConditionWait.until(
                () -> isReady(node) && status(node, "wsrep_cluster_size").equals(Integer.toString(size)),
                WHOLE_WITHIN,
                () -> "The node sees " + status(node, "wsrep_cluster_size") + " nodes and not " + size + ".");
    }

    private static boolean isReady(ManagedMariadb node) {
        return status(node, "wsrep_ready").equals("ON");
    }

    private static String status(ManagedMariadb node, String name) {
        try {
            return node.ask("SHOW GLOBAL STATUS LIKE '" + name + "'");
        } catch (SQLException e) {
            return Objects.toString(e.getMessage());
        }
    }

    public int size() {
        return nodes.size();
    }

    /** Creates an empty database, on all nodes, and returns its name. */
    public String freshDatabase() {
        return nodes.getFirst().freshDatabase().replaceFirst("^.*/([^/?]+)\\?.*$", "$1");
    }

    /** Returns the URL of a database on one node. */
    public String url(int node, String database) {
        return nodes.get(node).urlOf(database);
    }

    /** Returns a URL by which the driver connects to the first of these nodes that it reaches. */
    public String url(List<Integer> order, String database) {
        String hosts = order.stream()
                .map(node -> url(node, database).replaceFirst("^jdbc:mariadb://([^/]+)/.*$", "$1"))
                .collect(Collectors.joining(","));
        return url(order.getFirst(), database)
                .replaceFirst("^jdbc:mariadb://[^/]+/", "jdbc:mariadb:sequential://" + hosts + "/");
    }

    /** SIGKILLs a node and returns when it is gone. */
    public void killHard(int node) {
        nodes.get(node).killHard();
    }

    /** Cuts a node off from the others, until {@link #rejoin}; its clients still reach it. Returns when it has noticed. */
    public void cutOff(int node) throws SQLException {
        isolate(node, 1);
        ConditionWait.until(
                () -> !isReady(nodes.get(node)), WHOLE_WITHIN, () -> "The node that is cut off has not noticed.");
    }

    /** Lets a node that was cut off find the others again. Returns when it has what they have. */
    public void rejoin(int node) throws SQLException {
        isolate(node, 0);
        ConditionWait.until(
                () -> isReady(nodes.get(node)), WHOLE_WITHIN, () -> "The node has not found the others again.");
    }

    private void isolate(int node, int how) throws SQLException {
        nodes.get(node).ask("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=" + how + "'");
    }

    @Override
    public void close() {
        nodes.forEach(ManagedMariadb::close);
        shared.close();
    }
}
