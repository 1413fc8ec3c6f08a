package dev.refrain.http.client;
/**
 * Handles a response, for example by writing it to the caller's database. The request stays pending until this returns:
 * after a crash before that, it is sent again and its response is handled again.
 */
@FunctionalInterface
public interface FinalResponseHandler<T, X extends Exception> {

    T handle(FinalResponse answer) throws X;
}
