package dev.refrain.store.jdbc;

import dev.refrain.api.Payload;
import dev.refrain.store.outbox.DeadLetterSearch;
import dev.refrain.store.outbox.LeasedMessage;
import dev.refrain.store.outbox.MessageLeaseRequest;
import dev.refrain.store.outbox.MessageSettlement;
import dev.refrain.store.outbox.OutboxBrowser;
import dev.refrain.store.outbox.OutboxStore;
import dev.refrain.store.outbox.StagedMessage;
import dev.refrain.store.outbox.WaitingMessageSearch;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Wrong about messages. */
@SuppressWarnings("unchecked")
final class MessageFlaws {

    private MessageFlaws() {}

    static final List<AbilityFlaw> ALL = List.of(
            AbilityFlaw.of(
                    "settles under any fence",
                    OutboxStore.class,
                    "settle",
                    (sound, arguments) -> {
                        var settlements = (List<MessageSettlement>) arguments[0];
                        sound.settle(settlements);
                        return settlements.stream().map(MessageSettlement::row).collect(Collectors.toSet());
                    },
                    "takenMessageIsGivenToNobodyElseUntilItsLeaseIsOver"),
            AbilityFlaw.of(
                    "forgets the order",
                    OutboxStore.class,
                    "stage",
                    (sound, arguments) -> {
                        var message = (StagedMessage) arguments[1];
                        ((OutboxStore<Connection>) sound)
                                .stage(
                                        (Connection) arguments[0],
                                        new StagedMessage(message.id(), message.topic(), null, message.payload()));
                        return null;
                    },
                    "onlyTheFrontOfALaneIsGiven",
                    "bytesComeBackAsTheyWere"),
            AbilityFlaw.of(
                    "never looks at its clock",
                    OutboxStore.class,
                    "reap",
                    (sound, arguments) -> 0,
                    "messageStagedWhileTheClockWasAheadIsDueOnceThatIsNoticed",
                    "messagePutOffWhileTheClockWasAheadWaitsForItsPauseAlone",
                    "messageThatMayHaveArrivedIsNoYoungerThanItIsAfterTheClockWasAhead"),
            AbilityFlaw.of(
                    "counts what was not sent",
                    OutboxStore.class,
                    "settle",
                    (sound, arguments) -> sound.settle(((List<MessageSettlement>) arguments[0])
                            .stream().map(MessageFlaws::countedAsFailed).toList()),
                    "unsentMessageDoesNotCountUnlessItMayHaveBeenSentBefore"),
            AbilityFlaw.of(
                    "loses the last byte",
                    OutboxStore.class,
                    "leaseMessages",
                    (sound, arguments) -> ((List<LeasedMessage>)
                                    sound.leaseMessages((MessageLeaseRequest) arguments[0]))
                            .stream().map(MessageFlaws::withoutLastByte).toList(),
                    "bytesComeBackAsTheyWere"),
            AbilityFlaw.of(
                    "shows what waits in other topics",
                    OutboxBrowser.class,
                    "searchWaiting",
                    (sound, arguments) -> {
                        var search = (WaitingMessageSearch) arguments[0];
                        return sound.searchWaiting(new WaitingMessageSearch(
                                Optional.empty(), search.failing(), search.after(), search.limit()));
                    },
                    "waitingMessagesArePagedInTheOrderOfStagingWithTheirLastFailure"),
            AbilityFlaw.of(
                    "shows dead letters of other causes",
                    OutboxBrowser.class,
                    "searchDeadLetters",
                    (sound, arguments) -> {
                        var search = (DeadLetterSearch) arguments[0];
                        return sound.searchDeadLetters(
                                new DeadLetterSearch(search.topic(), Optional.empty(), search.after(), search.limit()));
                    },
                    "deadLettersAreSearchedByTopicAndCause"));

    private static MessageSettlement countedAsFailed(MessageSettlement settlement) {
        return settlement instanceof MessageSettlement.NotSent notSent
                ? new MessageSettlement.Failed(notSent.row(), notSent.pause(), notSent.reason())
                : settlement;
    }

    private static LeasedMessage withoutLastByte(LeasedMessage message) {
        byte[] bytes = message.payload().bytes();
        return new LeasedMessage(
                message.row(),
                message.id(),
                message.topic(),
                message.lane(),
                message.orderKey(),
                Payload.of(java.util.Arrays.copyOf(bytes, Math.max(0, bytes.length - 1))),
                message.attempts(),
                message.unresolvedAttempts(),
                message.unresolvedSince(),
                message.age(),
                message.labels());
    }
}
