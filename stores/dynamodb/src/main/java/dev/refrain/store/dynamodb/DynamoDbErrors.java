package dev.refrain.store.dynamodb;

import dev.refrain.store.StoreException;
import dev.refrain.store.StoreException.Effect;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.TransactionConflictException;

/** What failures of the client mean. Nothing happened only if the server said so to the only attempt, or could not be reached at all. */
final class DynamoDbErrors {

    private static final int SERVER_ERROR = 500;

    private DynamoDbErrors() {}

    static StoreException of(String doing, Throwable thrown) {
        var cause = thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return switch (cause) {
            case StoreException already -> already;
            case TimeoutException late ->
                StoreException.unavailable(
                        doing + " was not answered in time. Is DynamoDB reachable?", Effect.UNKNOWN, late);
            case ResourceNotFoundException missing ->
                StoreException.permanent(
                        doing + " failed: there is no such table. Create it by `refrain migrate`. "
                                + missing.getMessage(),
                        Effect.NONE,
                        missing);
            case AwsServiceException said -> answered(doing, said);
            default ->
                StoreException.unavailable(
                        doing + " failed: " + cause.getMessage(),
                        isNotConnected(cause) && attempts(cause) <= 1 ? Effect.NONE : Effect.UNKNOWN,
                        cause);
        };
    }

    private static StoreException answered(String doing, AwsServiceException said) {
        boolean once = attempts(said) <= 1;
        if (said.isThrottlingException() || said instanceof TransactionConflictException) {
            return StoreException.unavailable(
                    doing + " was throttled by DynamoDB: " + said.getMessage(),
                    once ? Effect.NONE : Effect.UNKNOWN,
                    said);
        }
        if (said.statusCode() >= SERVER_ERROR) {
            return StoreException.unavailable(doing + " failed: " + said.getMessage(), Effect.UNKNOWN, said);
        }
        return StoreException.permanent(
                doing + " was refused by DynamoDB: " + said.getMessage(), once ? Effect.NONE : Effect.UNKNOWN, said);
    }

    /** Returns how often the client has sent it; an earlier attempt may have taken effect. */
    private static int attempts(Throwable thrown) {
        Integer made = thrown instanceof SdkException sdk ? sdk.numAttempts() : null;
        return made == null ? 1 : made;
    }

    private static boolean isNotConnected(@Nullable Throwable thrown) {
        for (var cause = thrown; cause != null; cause = cause.getCause()) {
            if (cause instanceof ConnectException || cause instanceof UnknownHostException) {
                return true;
            }
        }
        return false;
    }
}
