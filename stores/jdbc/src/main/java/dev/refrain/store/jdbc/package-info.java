/**
 * Records in a relational database: PostgreSQL and SQLite, by one engine and SQL per dialect in named files.
 *
 * <p>Start at {@link dev.refrain.store.jdbc.JdbcStore}. Inside, {@code ClaimExecutor} and {@code RecordWriter} hold the
 * algorithms, {@code SqlSession} runs named scripts on one connection, {@code DedicatedConnection} keeps a connection of its own, and
 * {@code Dialect} describes a database without running anything. The SQL lies beside in {@code resources},
 * with its reasons.
 */
@NullMarked
package dev.refrain.store.jdbc;

import org.jspecify.annotations.NullMarked;
