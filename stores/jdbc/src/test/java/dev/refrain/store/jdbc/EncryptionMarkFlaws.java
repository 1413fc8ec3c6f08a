package dev.refrain.store.jdbc;

import dev.refrain.store.EncryptionMarks;
import java.util.List;

/** Wrong about marks of encryption. */
final class EncryptionMarkFlaws {

    private EncryptionMarkFlaws() {}

    static final List<AbilityFlaw> ALL = List.of(
            AbilityFlaw.of(
                    "forgets marks of encryption",
                    EncryptionMarks.class,
                    "addEncryptionMark",
                    (sound, arguments) -> null,
                    "markOfEncryptionIsSeenByEveryInstance",
                    "markOfEncryptionIsAddedOnceAndReplacesNone"),
            AbilityFlaw.of(
                    "lists a mark of encryption twice",
                    EncryptionMarks.class,
                    "addEncryptionMark",
                    (sound, arguments) -> {
                        sound.addEncryptionMark((String) arguments[0]);
                        sound.addEncryptionMark(arguments[0] + " again");
                        return null;
                    },
                    "markOfEncryptionIsAddedOnceAndReplacesNone"),
            AbilityFlaw.of(
                    "finds payloads in the clear where there are none",
                    EncryptionMarks.class,
                    "hasPayloadsNotBeginningWith",
                    (sound, arguments) -> true,
                    "payloadsAreToldApartByTheirFirstByte",
                    "requestOfUnfinishedRecordIsToldApartToo"),
            AbilityFlaw.of(
                    "finds no payloads in the clear",
                    EncryptionMarks.class,
                    "hasPayloadsNotBeginningWith",
                    (sound, arguments) -> false,
                    "payloadsAreToldApartByTheirFirstByte",
                    "requestOfUnfinishedRecordIsToldApartToo"));
}
