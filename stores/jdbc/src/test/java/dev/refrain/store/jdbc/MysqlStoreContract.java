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
import java.sql.Connection;

/** All but wake-ups: nothing notifies here, and waiting callers poll. */
abstract class MysqlStoreContract extends StoreContract
        implements CompletionContract,
                ErasureContract,
                AuditTrailContract,
                CountsContract,
                BrowsingContract,
                TransactionsContract<Connection>,
                OutboxContract<Connection>,
                OutboxBrowsingContract<Connection>,
                LedgerContract<Connection>,
                KeptRequestContract,
                EncryptionMarkContract {}
