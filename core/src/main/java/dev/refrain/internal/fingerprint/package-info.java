/**
 * Fingerprints, which decide whether a request under a used key is the same request.
 *
 * <p>A {@link dev.refrain.RequestFingerprinter} turns a {@link dev.refrain.api.RequestContent} into a
 * {@link dev.refrain.store.Fingerprint}: 32 bytes and the <em>recipe</em> they were made by. A record is compared by its
 * own recipe, so that after an upgrade, a rotated secret or another field selection a genuine retry is still recognised.
 *
 * <h2>Encoding version 1</h2>
 *
 * SHA-256, or HMAC-SHA-256 with a secret, over these parts in order. A text is its length in bytes (8 bytes, big-endian)
 * and then its UTF-8 bytes, so that different requests never have the same encoding.
 *
 * <ol>
 *   <li>text {@code refrain/fingerprint/1}
 *   <li>texts method, path, query: exactly as sent. Order and escapes of a query can mean something to a handler, and
 *       a genuine retry repeats them; only an absent and an empty query are the same. Methods are case-sensitive, as in
 *       HTTP
 *   <li>one byte, the body's kind: {@code 0} empty, {@code B} bytes, {@code J} JSON, {@code F} form, {@code M}
 *       multipart, and {@code j f m} for a body of that kind that had to be compared by its bytes
 *   <li>the length (8 bytes) and the SHA-256 of the body's content. A digest instead of the content itself, because a
 *       stream does not know its length in advance
 * </ol>
 *
 * The content is, by kind (the class that writes it documents every byte):
 *
 * <ul>
 *   <li><b>JSON</b> ({@code application/json}, {@code text/json}, {@code *+json}; UTF-8): RFC 8785. By its bytes if it
 *       is not strict JSON, has duplicate members or an unpaired surrogate, is nested deeper than 256, is larger
 *       than {@link dev.refrain.RequestFingerprinter.Builder#maxCanonicalBytes}, or if a number that counts has a
 *       value which RFC 8785 would change (9007199254740993, 1e400; not 0.1)
 *   <li><b>form</b> ({@code application/x-www-form-urlencoded}): the decoded names and values in the order sent. Order
 *       counts across names too: {@code items[][id]=1&items[][n]=2&items[][id]=3} means something else when reordered.
 *       By its bytes if an escape is broken or it is larger than the limit
 *   <li><b>multipart</b>: each part's headers (without {@code Content-Length}), disposition parameters such as name and
 *       filename, and content, in the order sent; not the boundary, nor what is before the first and after the last
 *       part. Read as a stream of any size. By its bytes if anything deviates from RFC 2046
 *   <li><b>anything else</b>: its bytes
 * </ul>
 *
 * <p>The content type decides the kind and is not itself compared: the same JSON is the same request with or without
 * {@code charset=utf-8}. No headers are included, so neither credentials, tracing nor the key can get in. An absent
 * and an empty body are the same, whatever the content type says.
 *
 * <p>When in doubt the result is "different": that rejects a retry visibly, while "same" would answer a request with the
 * outcome of another.
 */
@NullMarked
package dev.refrain.internal.fingerprint;

import org.jspecify.annotations.NullMarked;
