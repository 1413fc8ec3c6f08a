package dev.refrain.trials.simulation.law;

import dev.refrain.api.ClaimRef;
import dev.refrain.api.Outcome;
import dev.refrain.api.Payload;
import dev.refrain.api.RecordId;
import dev.refrain.api.ScopedKey;
import dev.refrain.store.AttentionItem;
import dev.refrain.store.ClaimRequest;
import dev.refrain.store.ClaimResponse;
import dev.refrain.store.RecordWrite;
import dev.refrain.store.RecordWriteResponse;
import dev.refrain.store.StoredRecord;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Short texts for traces: distinct for a reader, and short enough for one line. */
public final class TraceText {

    private static final int SHOWN = 6;

    private TraceText() {}

    public static String brief(RecordId id) {
        return brief(id.value());
    }

    public static String brief(UUID id) {
        return id.toString().substring(0, SHOWN);
    }

    public static String clock(Instant moment) {
        return moment.getEpochSecond() + "." + moment.getNano() / 1_000_000;
    }

    public static String brief(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Answer answer -> answer.status() + ":" + brief(answer.body());
            case Outcome.StateOnly only -> "state only";
        };
    }

    public static String brief(List<?> elements) {
        return elements.stream().map(TraceText::element).toList().toString();
    }

    private static String element(@Nullable Object element) {
        return switch (element) {
            case ClaimRequest request ->
                name(request.identity()) + " as " + brief(request.nonce()) + " " + request.leaseExpiryPolicy();
            case ClaimResponse.Acquired acquired -> "acquired " + brief(acquired.record());
            case ClaimResponse.Found found -> "found " + brief(found.record());
            case ClaimResponse.Failed failed -> "failed: " + failed.failure().getMessage();
            case RecordWriteResponse.Failed failed ->
                "failed: " + failed.failure().getMessage();
            case RecordWrite write -> write.getClass().getSimpleName() + " " + brief(write.claim());
            case RecordWriteResponse.Refused refused -> "refused, there is " + element(refused.current());
            case Optional<?> maybe -> maybe.map(TraceText::element).orElse("nothing");
            case StoredRecord record -> brief(record);
            case ScopedKey identity -> name(identity);
            case List<?> list -> brief(list);
            case AttentionItem item -> name(item.identity()) + " " + brief(item.claim());
            case null -> "null";
            default -> element.toString();
        };
    }

    static String brief(StoreAction deed) {
        return switch (deed) {
            case StoreAction.Claimed claimed -> "claim " + element(claimed.request());
            case StoreAction.Wrote wrote -> element(wrote.write());
            case StoreAction.Resolved resolved ->
                "resolving " + brief(resolved.resolution().claim());
            case StoreAction.Swept swept -> "the sweeper";
            case StoreAction.TakenUp taken -> "the completer";
            case StoreAction.Reaped reaped -> "the reaper";
            case StoreAction.Erased erased -> "an erasure";
            case StoreAction.Committed committed -> "commit of " + element(committed.request());
            case StoreAction.Read read -> "something unseen";
        };
    }

    public static String name(ScopedKey identity) {
        return identity.scope() + "/" + identity.namespace() + "/" + identity.key();
    }

    public static String brief(ClaimRef claim) {
        return brief(claim.id()) + "/" + claim.fence();
    }

    private static String brief(StoredRecord record) {
        return record.state() + " " + brief(record.claim()) + " of " + brief(record.owner()) + " lease "
                + record.remainingLease().toMillis() + " ms, life "
                + record.remainingLife().map(life -> life.toSeconds() + " s").orElse("for ever");
    }

    private static String brief(Payload body) {
        return HexFormat.of().formatHex(body.bytes(), 0, Math.min(4, body.size())) + "(" + body.size() + ")";
    }
}
