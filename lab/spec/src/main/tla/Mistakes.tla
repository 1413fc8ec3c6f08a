------------------------------ MODULE Mistakes ------------------------------
(***************************************************************************)
(* The rules of Refrain.tla, each broken in one way that a plausible       *)
(* implementation might. A configuration puts one of them in the place of  *)
(* the rule, and TLC has to find the promise that it breaks.               *)
(***************************************************************************)
EXTENDS Promises

\* For Fenced: a late runner's write is taken.
Unfenced(r) == record.state # "ABSENT"

\* For Fenced: the fence alone, so that a runner of an expired record writes into the next one.
FencedWithoutId(r) == run[r].fence = record.fence

\* For Open: a write is taken in whatever state the record is.
OpenAlways(states) == record.state # "ABSENT"

\* For TakenOver: what is to be held runs again.
HoldTakenOver == TRUE

\* For Alike: a different request is let in.
AlikeAlways(r) == TRUE

\* For Released: nothing is left, and the next claim mints a new id.
ReleasedIsDeleted(rec) == Absent

\* For Lost: a runner that lost its claim answers with what it did itself.
LostAnswersItsOwn(r) == End(r) /\ Answered(r, Outcome(r, "success")) /\ UNCHANGED <<record, stray>>

\* For Again: a takeover under the fence of the claim before it.
AgainUnderTheSameFence(r) == [record EXCEPT !.state = "IN_PROGRESS", !.owner = r, !.alive = TRUE]

\* For TakenBack: a failure is kept, and so is what the work wrote before it failed.
NothingTakenBack(kind) == FALSE

\* For MayLook: the snapshot is older than the lock.
LookBeforeLock(r) == TRUE

\* For Order: the phase's effect, then its recovery point.
EffectThenPoint(r) ==
    /\ MayWrite(r)
    /\ \/ /\ run[r].at = "ordering"
          /\ effects' = [effects EXCEPT ![run[r].life].order = @ + 1]
          /\ Go(r, "order-half")
          /\ UNCHANGED <<record, stray>>
       \/ /\ run[r].at = "order-half"
          /\ Wrote(r, [record EXCEPT !.point = "ordered"])
          /\ Go(r, "noting")
          /\ UNCHANGED effects
    /\ UNCHANGED <<lock, minted, pardons, life, outside, answers>>

\* For Order: the recovery point, then the phase's effect.
PointThenEffect(r) ==
    /\ MayWrite(r)
    /\ \/ /\ run[r].at = "ordering"
          /\ Wrote(r, [record EXCEPT !.point = "ordered"])
          /\ Go(r, "order-half")
          /\ UNCHANGED effects
       \/ /\ run[r].at = "order-half"
          /\ effects' = [effects EXCEPT ![run[r].life].order = @ + 1]
          /\ Go(r, "noting")
          /\ UNCHANGED <<record, stray>>
    /\ UNCHANGED <<lock, minted, pardons, life, outside, answers>>

\* For Note: nothing is recorded until the call was sent and its result is.
NoteAfterSending(r) ==
    /\ run[r].at = "noting"
    /\ MayWrite(r)
    /\ Go(r, "sending")
    /\ UNCHANGED <<record, lock, minted, pardons, life, effects, outside, answers, stray>>

\* For DerivedKey: from the claim instead of the record.
KeyFromFence(r) == <<run[r].id, run[r].fence>>

\* For DerivedKey: the client's own key, which outlives the record.
KeyFromClient(r) == <<"key">>

\* For Remembered: sent again, however long ago the first time was.
RememberedForEver(r) == TRUE

\* For InTime: sent although the lease is over and someone else may be looking it up.
SentLate(r) == TRUE

\* For Stop: a runner that may not send any more waits for what never comes.
NeverStopped(r) == FALSE /\ UNCHANGED vars

\* For LookUp: sent again without a look.
SentUnseen(r) ==
    /\ run[r].at = "looking"
    /\ Go(r, "sending")
    /\ UNCHANGED <<record, lock, minted, pardons, life, effects, outside, answers, stray>>

\* For Abandoned: the completer takes what a living runner holds.
AbandonedOrNot == record.state \in {"IN_PROGRESS", "RELEASED"}

\* For Abandoned: the completer leaves alone what was given back.
AbandonedUnlessReleased == record.state = "IN_PROGRESS" /\ ~record.alive

\* For Over: whatever nobody works on expires.
OverIfReleased == record.state \in {"COMPLETED", "RELEASED"}

\* For LastRenewal: the heartbeat of a hung handler never ends.
RenewedForEver(r) == UNCHANGED run

\* For Sweep: nobody settles what nobody retries.
NobodySweeps == FALSE /\ UNCHANGED vars
=============================================================================
