/**
 * Whether a request that comes under a used key is the same request.
 *
 * <p>A {@link dev.refrain.RequestFingerprinter} turns a {@link dev.refrain.api.RequestContent} into a
 * {@link dev.refrain.store.Fingerprint}: 32 bytes and the <em>recipe</em> they were made by. A record is compared
 * by the recipe it was made with, so an upgrade, a rotated secret or another field selection mistakes no honest retry
 * for a different request.
 *
 * <h2>Encoding version 1</h2>
 *
 * SHA-256, or HMAC-SHA-256 with a secret, over these parts one after the other. A text is its length in bytes (8 bytes,
 * big-endian) and then its UTF-8 bytes, so no two different requests have one encoding.
 *
 * <ol>
 *   <li>text {@code refrain/fingerprint/1}
 *   <li>texts method, path, query: exactly as sent. Order and escapes of a query can mean something to a handler, and
 *       an honest retry repeats them; only an absent and an empty query are the same. Methods are case-sensitive, as in
 *       HTTP
 *   <li>one byte, the body's kind: {@code 0} empty, {@code B} bytes, {@code J} JSON, {@code F} form, {@code M}
 *       multipart, and {@code j f m} for a body of that kind which had to be taken by its bytes
 *   <li>the length (8 bytes) and the SHA-256 of the body's content. A digest instead of the content itself, because a
 *       stream does not know its length in advance
 * </ol>
 *
 * The content is, by kind (byte by byte at the class that writes it):
 *
 * <ul>
 *   <li><b>JSON</b> ({@code application/json}, {@code text/json}, {@code *+json}; UTF-8): RFC 8785. By its bytes if it
 *       is not strict JSON, has duplicate members or half of a surrogate pair, is nested deeper than 256, is larger
 *       than {@link dev.refrain.RequestFingerprinter.Builder#maxCanonicalBytes}, or if a number that counts has a
 *       value which RFC 8785 would change (9007199254740993, 1e400; not 0.1)
 *   <li><b>form</b> ({@code application/x-www-form-urlencoded}): the decoded names and values in the order sent. Order
 *       counts across names too: {@code items[][id]=1&items[][n]=2&items[][id]=3} means something else when reordered.
 *       By its bytes if an escape is broken or it is larger than the limit
 *   <li><b>multipart</b>: each part's headers (without {@code Content-Length}), disposition parameters such as name and
 *       filename, and content, in the order sent; not the boundary, nor what stands before the first and after the last
 *       part. Read as a stream of any size. By its bytes if anything is not as RFC 2046 has it
 *   <li><b>anything else</b>: its bytes
 * </ul>
 *
 * <p>The content type decides the kind and is not itself compared: the same JSON is the same request with or without
 * {@code charset=utf-8}. No headers are taken at all, so neither credentials, tracing nor the key can get in. An absent
 * and an empty body are the same, whatever the content type says.
 *
 * <p>Wherever this is in doubt the answer is "different": that refuses a retry visibly, while "same" would answer a
 * request with the outcome of another.
 */
@NullMarked
package dev.refrain.internal.fingerprint;

import org.jspecify.annotations.NullMarked;
