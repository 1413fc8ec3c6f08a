package dev.refrain.http.client;
/**
 * Takes an answer to where it belongs, such as the sender's own database. Its intent is pending until this returns: after a
 * crash before that, the request is sent again and the answer handled again.
 */
@FunctionalInterface
public interface FinalResponseHandler<T, X extends Exception> {

    T handle(FinalResponse answer) throws X;
}
