package dev.refrain.store.encryption;

import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AuditEntry;
import dev.refrain.store.RecordBrowser;
import dev.refrain.store.RecordPage;
import dev.refrain.store.RecordSearch;
import dev.refrain.store.RecordView;
import java.util.List;
import java.util.Optional;

/** The view of records of the store inside, with the reasons of attention and of attempts decrypted. */
record EncryptingRecordBrowser(RecordBrowser plain, FailureReasonCipher reasons) implements RecordBrowser {

    @Override
    public Optional<RecordView> find(ScopedKey identity) {
        return plain.find(identity).map(reasons::decrypt);
    }

    @Override
    public Optional<RecordView> find(RecordId id) {
        return plain.find(id).map(reasons::decrypt);
    }

    @Override
    public RecordPage search(RecordSearch search) {
        var page = plain.search(search);
        return new RecordPage(page.records().stream().map(reasons::decrypt).toList(), page.order(), page.next());
    }

    @Override
    public List<AuditEntry> audit(RecordId id, int limit) {
        return plain.audit(id, limit);
    }

    @Override
    public void auditReveal(RecordId id, String who, String why) {
        plain.auditReveal(id, who, why);
    }
}
