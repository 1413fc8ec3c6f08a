/**
 * Stores for PostgreSQL, MySQL, MariaDB and SQLite: one engine, with the SQL of each dialect in named files.
 *
 * <p>Start at {@link dev.refrain.store.jdbc.JdbcStore}. Inside, {@code ClaimBatchExecutor} and {@code RecordWriter} hold the
 * algorithms, {@code SqlSession} runs named scripts on one connection, {@code DedicatedConnection} keeps a connection of its own,
 * and {@code Dialect} describes a database without running anything. The SQL files, with comments on their reasons, are in {@code
 * resources}.
 */
@NullMarked
package dev.refrain.store.jdbc;

import org.jspecify.annotations.NullMarked;
