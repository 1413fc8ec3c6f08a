package dev.refrain.store.jdbc;

import dev.refrain.store.contract.AuditTrailContract;
import dev.refrain.store.contract.BrowsingContract;
import dev.refrain.store.contract.CompletionContract;
import dev.refrain.store.contract.CountsContract;
import dev.refrain.store.contract.EncryptionMarkContract;
import dev.refrain.store.contract.ErasureContract;
import dev.refrain.store.contract.KeptRequestContract;
import dev.refrain.store.contract.LedgerContract;
import dev.refrain.store.contract.OutboxBrowsingContract;
import dev.refrain.store.contract.OutboxContract;
import dev.refrain.store.contract.StoreContract;
import dev.refrain.store.contract.TransactionsContract;
import dev.refrain.store.contract.WakeupsContract;
import java.sql.Connection;

/** What a store on JDBC can do: everything. */
abstract class JdbcStoreContract extends StoreContract
        implements CompletionContract,
                ErasureContract,
                AuditTrailContract,
                CountsContract,
                BrowsingContract,
                TransactionsContract<Connection>,
                OutboxContract<Connection>,
                OutboxBrowsingContract<Connection>,
                LedgerContract<Connection>,
                WakeupsContract,
                KeptRequestContract,
                EncryptionMarkContract {}
