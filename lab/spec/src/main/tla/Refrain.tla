------------------------------- MODULE Refrain -------------------------------
(***************************************************************************)
(* Refrain's protocol for one key: requests that are sent and retried,     *)
(* runners that crash, hang or come late, a store that is asked in single  *)
(* statements, a downstream that is called, and the workers and people who *)
(* settle what is left. README.md beside this folder says how to read it.  *)
(*                                                                         *)
(* What a rule forbids is said once, in a definition of its own, so that   *)
(* Mistakes.tla can break that one rule and TLC can show what comes of it. *)
(***************************************************************************)
EXTENDS Naturals

CONSTANTS
    Way,         \* how the operation runs: "transactional", "resume", "hold" (both leased) or "flow"
    Downstream,  \* what the called system offers: "keys", "lookup" or "neither"
    Likes,       \* requests under the key that are the same request
    Unlikes,     \* requests under the key that are another request
    Completers,  \* instances that run the completer
    Attempts,    \* how often the completer tries
    Pardons,     \* how often people let ATTENTION run again
    Lives        \* how many records the key may have, one after the other

Requests == Likes \cup Unlikes
Runners == Requests \cup Completers

VARIABLES
    record,   \* what the store holds for the key
    lock,     \* who has the key's lock in the database (transactional)
    run,      \* each runner: where it is, and the claim it believes it has
    minted,   \* how many record ids there have been
    pardons,  \* how often people said "run again"
    life,     \* the client's intent: a new one begins when the record expires, and only then
    effects,  \* per intent: how often each phase's local effect was committed
    charges,  \* per intent: how often the downstream was made to act
    known,    \* per intent: the keys that the downstream knows
    forgot,   \* the intents whose keys the downstream has forgotten
    answers,  \* every outcome that any request was ever answered with
    stray     \* whether anyone but the holder of the current claim ever wrote

outside == <<charges, known, forgot>>
vars == <<record, lock, run, minted, pardons, life, effects, outside, answers, stray>>

-----------------------------------------------------------------------------
(* Records, claims and outcomes *)

NoOutcome == [kind |-> "none", fence |-> 0, print |-> "none"]

Absent == [state |-> "ABSENT", id |-> 0, fence |-> 0, owner |-> "nobody", alive |-> FALSE, print |-> "none",
           point |-> "started", sent |-> FALSE, attempts |-> 0, outcome |-> NoOutcome]

NoClaim == [at |-> "gone", id |-> 0, fence |-> 0, life |-> 0, print |-> "none", lease |-> FALSE]

Print(r) == IF r \in Unlikes THEN "other" ELSE "same"

New(r) == [Absent EXCEPT !.state = "IN_PROGRESS", !.id = minted + 1, !.fence = 1, !.owner = r, !.alive = TRUE,
                         !.print = Print(r)]

\* A later claim of the record: the same id, a higher fence, the same recovery point.
Again(r) == [record EXCEPT !.state = "IN_PROGRESS", !.fence = @ + 1, !.owner = r, !.alive = TRUE]

Settled(rec, state) == [rec EXCEPT !.state = state, !.owner = "nobody", !.alive = FALSE]

Completed(rec, outcome) ==
    [Settled(rec, "COMPLETED") EXCEPT !.outcome = outcome, !.point = "started", !.sent = FALSE, !.attempts = 0]

\* The record stays, and with it its id, fence, fingerprint and recovery point.
Released(rec) == Settled(rec, "RELEASED")

Attention(rec) == Settled(rec, "ATTENTION")

Outcome(r, kind) == [kind |-> kind, fence |-> run[r].fence, print |-> run[r].print]

-----------------------------------------------------------------------------
(* The rules of the store *)

\* Mismatch is decided first, wherever a record can be seen.
Alike(r) == record.print = Print(r)

\* A claim whose lease is over is taken over, or held for a person to look at.
TakenOver == Way # "hold"

\* Every write names (record id, fence) ...
Fenced(r) == run[r].id = record.id /\ run[r].fence = record.fence

\* ... and finds the record in a state in which it means something.
Open(states) == record.state \in states

MayWrite(r) == Fenced(r) /\ Open({"IN_PROGRESS"})

\* Its own late runner may complete what is in ATTENTION: it knows best.
MayComplete(r) == Fenced(r) /\ Open({"IN_PROGRESS", "ATTENTION"})

-----------------------------------------------------------------------------
(* Runners *)

Holds(r) == run[r].id # 0 /\ run[r].id = record.id /\ run[r].fence = record.fence

Go(r, at) == run' = [run EXCEPT ![r].at = at]

\* Requests come once: a retry is another request. A completer goes on to its next round.
Rest(r) == IF r \in Completers THEN [NoClaim EXCEPT !.at = "idle"] ELSE NoClaim
End(r) == run' = [run EXCEPT ![r] = Rest(r)]

\* What is stored is answered, and nothing else is.
Answered(r, outcome) ==
    IF r \in Completers
    THEN UNCHANGED answers
    ELSE answers' = answers \cup {[life |-> life, asked |-> Print(r), outcome |-> outcome]}

\* Told "in progress", "mismatch", "attention", or "outcome unknown": nothing ran, or nothing is known.
Refused(r) == End(r) /\ UNCHANGED <<record, answers>>

Replayed(r) == End(r) /\ Answered(r, record.outcome) /\ UNCHANGED record

\* A runner that lost its claim answers with what is stored, never with an outcome of its own.
Lost(r) ==
    /\ IF record.state = "COMPLETED" /\ record.print = run[r].print THEN Replayed(r) ELSE Refused(r)
    /\ UNCHANGED stray

Wrote(r, rec) == record' = rec /\ stray' = (stray \/ ~Holds(r))

\* Where a claim of the record goes on: from its recovery point.
Entry(rec) ==
    CASE Way # "flow" -> "sending"
      [] rec.point = "started" -> "ordering"
      [] rec.point = "ordered" -> "noting"

Claim(r, rec) == [at |-> Entry(rec), id |-> rec.id, fence |-> rec.fence, life |-> life,
                  print |-> IF r \in Completers THEN rec.print ELSE Print(r), lease |-> TRUE]

\* A statement that claims. Its reply can be lost: then the runner asks again, or never does.
Claims(r, rec) ==
    /\ record' = rec
    /\ run' = [run EXCEPT ![r] = Claim(r, rec)] \/ Go(r, "asking again")
    /\ UNCHANGED answers

Asking(r) == r \in Requests /\ run[r].at = "asking"

\* One statement claims the record or says what is there.
Ask(r) ==
    /\ Way # "transactional"
    /\ Asking(r)
    /\ CASE record.state = "ABSENT" -> Claims(r, New(r)) /\ minted' = minted + 1
         [] record.state # "ABSENT" -> UNCHANGED minted /\
            CASE ~Alike(r) -> Refused(r)
              [] record.state = "COMPLETED" -> Replayed(r)
              [] record.state = "ATTENTION" -> Refused(r)
              [] record.state = "RELEASED" -> Claims(r, Again(r))
              [] record.state = "IN_PROGRESS" ->
                 CASE record.alive -> Refused(r)
                   [] ~record.alive /\ TakenOver -> Claims(r, Again(r))
                   [] ~record.alive /\ ~TakenOver -> record' = Attention(record) /\ End(r) /\ UNCHANGED answers
    /\ UNCHANGED <<lock, pardons, life, effects, outside, stray>>

\* Under the same nonce, after a lost reply: it finds its own claim or what is there, and never claims a second time.
AskAgain(r) ==
    /\ run[r].at = "asking again"
    /\ CASE record.owner = r /\ record.alive -> run' = [run EXCEPT ![r] = Claim(r, record)] /\ UNCHANGED <<record, answers>>
         [] record.state = "COMPLETED" /\ Alike(r) -> Replayed(r)
         [] OTHER -> Refused(r)
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside, stray>>

-----------------------------------------------------------------------------
(* Transactional: claim, business writes and outcome in one commit *)

\* The lock first, then the look: what was committed before the lock was had is seen.
MayLook(r) == lock = r

\* A twin tests the lock without waiting; told busy, its client may come back as another request.
Lock(r) ==
    /\ Way = "transactional"
    /\ run[r].at \in {"asking", "inside"}
    /\ lock = "nobody"
    /\ lock' = r
    /\ UNCHANGED <<record, run, minted, pardons, life, effects, outside, answers, stray>>

Unlock(r) == lock' = IF lock = r THEN "nobody" ELSE lock

Look(r) ==
    /\ Way = "transactional"
    /\ Asking(r)
    /\ MayLook(r)
    /\ CASE record.state = "ABSENT" ->
              /\ run' = [run EXCEPT ![r] = [Claim(r, New(r)) EXCEPT !.at = "inside"]]
              /\ UNCHANGED <<record, lock, answers>>
         [] record.state # "ABSENT" /\ ~Alike(r) -> Refused(r) /\ Unlock(r)
         [] record.state # "ABSENT" /\ Alike(r) -> Replayed(r) /\ Unlock(r)
    /\ UNCHANGED <<minted, pardons, life, effects, outside, stray>>

\* A kept failure takes the work's writes back and commits the outcome.
TakenBack(kind) == kind = "failed"

\* When the reply of a COMMIT is lost, the lock is taken again and the record is read: that is the truth.
Commit(r, kind) ==
    /\ run[r].at = "inside"
    /\ lock = r
    /\ minted' = minted + 1
    /\ record' = Completed(New(r), Outcome(r, kind))
    /\ effects' = IF TakenBack(kind) THEN effects ELSE [effects EXCEPT ![life].order = @ + 1]
    /\ Unlock(r)
    /\ \/ End(r) /\ Answered(r, Outcome(r, kind))
       \/ run' = [run EXCEPT ![r] = [NoClaim EXCEPT !.at = "asking"]] /\ UNCHANGED answers
    /\ UNCHANGED <<pardons, life, outside, stray>>

-----------------------------------------------------------------------------
(* Flow: each phase commits its writes and its recovery point together *)

Order(r) ==
    /\ run[r].at = "ordering"
    /\ IF MayWrite(r) /\ record.point = "started"
       THEN /\ Wrote(r, [record EXCEPT !.point = "ordered"])
            /\ effects' = [effects EXCEPT ![run[r].life].order = @ + 1]
            /\ Go(r, "noting") \/ UNCHANGED run
            /\ UNCHANGED answers
       ELSE /\ IF MayWrite(r)
               THEN Go(r, "noting") /\ UNCHANGED <<record, answers, stray>>  \* its own commit, whose reply was lost
               ELSE Lost(r)
            /\ UNCHANGED effects
    /\ UNCHANGED <<lock, minted, pardons, life, outside>>

\* Someone may have sent the call, and nobody here knows what came of it.
InDoubt == CASE Downstream = "keys" -> "sending"
             [] Downstream = "lookup" -> "looking"
             [] Downstream = "neither" -> IF Way = "hold" THEN "failed" ELSE "escalating"

\* That a call is about to be sent is recorded before its first sending.
Note(r) ==
    /\ run[r].at = "noting"
    /\ IF MayWrite(r)
       THEN /\ UNCHANGED answers
            /\ IF record.sent
               THEN Go(r, InDoubt) /\ UNCHANGED <<record, stray>>
               ELSE Wrote(r, [record EXCEPT !.sent = TRUE]) /\ (Go(r, "sending") \/ UNCHANGED run)
       ELSE Lost(r)
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside>>

-----------------------------------------------------------------------------
(* The call: the work of a leased operation, and the foreign call of a flow *)

\* Derived from the record's id: the same across retries, releases, takeovers and crashes, new after expiry.
DerivedKey(r) == <<run[r].id>>

\* The runner's own clock forbids a sending whose key the downstream may have forgotten, ...
Remembered(r) == run[r].life \notin forgot

\* ... and, where no key protects it, one that could still be under way when the lease is over.
InTime(r) == run[r].lease

\* The code of a leased operation sends when it likes; a flow asks first.
MaySend(r) ==
    CASE Way # "flow" -> TRUE
      [] Way = "flow" /\ Downstream = "keys" -> Remembered(r)
      [] Way = "flow" /\ Downstream # "keys" -> InTime(r)

Send(r) ==
    /\ run[r].at = "sending"
    /\ MaySend(r)
    /\ IF Downstream = "keys" /\ DerivedKey(r) \in UNION {known[l] : l \in 1 .. Lives}
       THEN UNCHANGED <<charges, known>>
       ELSE /\ charges' = [charges EXCEPT ![run[r].life] = @ + 1]
            /\ known' = [known EXCEPT ![run[r].life] = @ \cup {DerivedKey(r)}]
    /\ Go(r, "charged") \/ Go(r, InDoubt)  \* the reply came, or was lost
    /\ UNCHANGED <<record, lock, minted, pardons, life, effects, forgot, answers, stray>>

\* The downstream is asked before it is sent again.
LookUp(r) ==
    /\ run[r].at = "looking"
    /\ Go(r, IF charges[run[r].life] > 0 THEN "charged" ELSE "sending")
    /\ UNCHANGED <<record, lock, minted, pardons, life, effects, outside, answers, stray>>

\* Too late to send, and nothing recorded that would say more: whoever comes next finds out.
Stop(r) ==
    /\ run[r].at = "sending" /\ Downstream # "keys"
    /\ ~MaySend(r)
    /\ End(r)
    /\ UNCHANGED <<record, lock, minted, pardons, life, effects, outside, answers, stray>>

\* What cannot be known goes to ATTENTION.
Escalate(r) ==
    /\ run[r].at = "escalating" \/ (run[r].at = "sending" /\ Downstream = "keys" /\ ~MaySend(r))
    /\ IF MayWrite(r) THEN Wrote(r, Attention(record)) /\ End(r) /\ UNCHANGED answers ELSE Lost(r)
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside>>

\* The outcome is stored before anyone is answered; in a flow the last phase's writes commit with it.
Complete(r) ==
    /\ run[r].at = "charged"
    /\ IF MayComplete(r)
       THEN /\ Wrote(r, Completed(record, Outcome(r, "success")))
            /\ effects' = IF Way = "flow" THEN [effects EXCEPT ![run[r].life].receipt = @ + 1] ELSE effects
            /\ \/ End(r) /\ Answered(r, Outcome(r, "success"))
               \/ UNCHANGED <<run, answers>>
       ELSE Lost(r) /\ UNCHANGED effects
    /\ UNCHANGED <<lock, minted, pardons, life, outside>>

-----------------------------------------------------------------------------
(* What can go wrong with a runner *)

Working == {"ordering", "noting", "sending", "looking", "charged", "escalating", "failed"}

\* An exception, an answer that is not kept, a shutdown: the claim is given back, and a retry runs.
GiveBack(r) ==
    /\ run[r].at \in Working
    /\ Way = "hold" => run[r].at = "sending"  \* only if the work says that nothing happened
    /\ IF MayWrite(r) THEN Wrote(r, Released(record)) /\ End(r) /\ UNCHANGED answers ELSE Lost(r)
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside>>

\* With hold a failure after which nobody knows whether it happened is kept as the outcome.
KeepFailure(r) ==
    /\ Way = "hold"
    /\ run[r].at \in {"failed", "charged"}
    /\ IF MayComplete(r)
       THEN /\ Wrote(r, Completed(record, Outcome(r, "failed")))
            /\ End(r)
            /\ Answered(r, Outcome(r, "failed"))
       ELSE Lost(r)
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside>>

\* The process is gone; its database connection too, and with it the lock and what was not committed.
Crash(r) ==
    /\ run[r].at \in Working \cup {"inside", "hung"} \/ lock = r
    /\ End(r)
    /\ Unlock(r)
    /\ UNCHANGED <<record, minted, pardons, life, effects, outside, answers, stray>>

\* A handler that never comes back, in a process whose heartbeat goes on.
Hang(r) ==
    /\ r \in Requests
    /\ run[r].at \in Working
    /\ run' = [run EXCEPT ![r].at = "hung", ![r].lease = FALSE]
    /\ UNCHANGED <<record, lock, minted, pardons, life, effects, outside, answers, stray>>

\* After its maximum run time a claim is not renewed any more. Here: after one renewal.
LastRenewal(r) == End(r)

\* A runner that goes on and is renewed in time is one whose lease does not end; so this is of those that hang.
Renew(r) ==
    /\ run[r].at = "hung"
    /\ ~record.alive
    /\ MayWrite(r)
    /\ Wrote(r, [record EXCEPT !.alive = TRUE])
    /\ LastRenewal(r)
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside, answers>>

-----------------------------------------------------------------------------
(* Time *)

\* Of a dead runner, or of a living one that was paused for too long.
LeaseEnds ==
    /\ record.alive
    /\ record' = [record EXCEPT !.alive = FALSE]
    /\ run' = [r \in Runners |-> IF Holds(r) THEN [run[r] EXCEPT !.lease = FALSE] ELSE run[r]]
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside, answers, stray>>

\* What may be forgotten: not a flow between two phases, however old.
Over == record.state = "COMPLETED" \/ (record.state = "RELEASED" /\ record.point = "started")

\* After expiry the same key is a new request.
Expire ==
    /\ Over
    /\ life < Lives
    /\ record' = Absent
    /\ life' = life + 1
    /\ UNCHANGED <<lock, run, minted, pardons, effects, outside, answers, stray>>

\* The code of a leased operation is taken to call systems that remember keys for as long as the record lives.
Forget(l) ==
    /\ Way = "flow" /\ Downstream = "keys"
    /\ known[l] # {}
    /\ known' = [known EXCEPT ![l] = {}]
    /\ forgot' = forgot \cup {l}
    /\ UNCHANGED <<record, lock, run, minted, pardons, life, effects, charges, answers, stray>>

-----------------------------------------------------------------------------
(* Workers and people *)

Sweep ==
    /\ Way \in {"resume", "hold"}
    /\ record.state = "IN_PROGRESS" /\ ~record.alive
    /\ record' = IF TakenOver THEN Released(record) ELSE Attention(record)
    /\ UNCHANGED <<lock, run, minted, pardons, life, effects, outside, answers, stray>>

\* A flow that nobody works on.
Abandoned == (record.state = "IN_PROGRESS" /\ ~record.alive) \/ record.state = "RELEASED"

\* A completer runs a flow from the stored request, so often; then it is a person's turn.
Pick(c) ==
    /\ Way = "flow"
    /\ run[c].at = "idle"
    /\ Abandoned
    /\ IF record.attempts < Attempts
       THEN LET rec == [Again(c) EXCEPT !.attempts = @ + 1]
            IN record' = rec /\ run' = [run EXCEPT ![c] = Claim(c, rec)]
       ELSE record' = Attention(Again(c)) /\ UNCHANGED run
    /\ UNCHANGED <<lock, minted, pardons, life, effects, outside, answers, stray>>

\* A person, a rule or the reconciler looked and knows: it is done ...
ResolveDone ==
    /\ record.state = "ATTENTION"
    /\ record' = [Completed(record, [kind |-> "resolved", fence |-> record.fence, print |-> record.print])
                      EXCEPT !.fence = @ + 1]
    /\ UNCHANGED <<lock, run, minted, pardons, life, effects, outside, answers, stray>>

\* ... or nothing was charged, nobody is about to, and it may run again.
ResolveRunAgain ==
    /\ record.state = "ATTENTION"
    /\ pardons < Pardons
    /\ charges[life] = 0
    /\ Way = "hold" => \A r \in Runners : ~(run[r].at = "sending" /\ run[r].life = life)
    /\ record' = [Released(record) EXCEPT !.fence = @ + 1, !.sent = FALSE, !.attempts = 0]
    /\ pardons' = pardons + 1
    /\ UNCHANGED <<lock, run, minted, life, effects, outside, answers, stray>>

-----------------------------------------------------------------------------
Init ==
    /\ record = Absent
    /\ lock = "nobody"
    /\ run = [r \in Runners |-> [NoClaim EXCEPT !.at = IF r \in Completers THEN "idle" ELSE "asking"]]
    /\ minted = 0
    /\ pardons = 0
    /\ life = 1
    /\ effects = [l \in 1 .. Lives |-> [order |-> 0, receipt |-> 0]]
    /\ charges = [l \in 1 .. Lives |-> 0]
    /\ known = [l \in 1 .. Lives |-> {}]
    /\ forgot = {}
    /\ answers = {}
    /\ stray = FALSE

\* What a runner does if nothing goes wrong.
GoesOn(r) ==
    \/ Commit(r, "success")
    \/ Order(r) \/ Note(r) \/ Send(r) \/ Stop(r) \/ LookUp(r) \/ Escalate(r) \/ Complete(r) \/ KeepFailure(r)

Next ==
    \/ \E r \in Requests : Ask(r) \/ AskAgain(r) \/ Lock(r) \/ Look(r) \/ Commit(r, "failed")
    \/ \E r \in Runners : GoesOn(r) \/ GiveBack(r) \/ Crash(r) \/ Hang(r) \/ Renew(r)
    \/ \E c \in Completers : Pick(c)
    \/ \E l \in 1 .. Lives : Forget(l)
    \/ LeaseEnds \/ Expire \/ Sweep \/ ResolveDone \/ ResolveRunAgain

\* Nobody has to ask, and anyone may crash. Time passes, a process that lives goes on, and so do workers and people.
Fairness ==
    /\ WF_vars(LeaseEnds) /\ WF_vars(Sweep) /\ WF_vars(ResolveDone \/ ResolveRunAgain)
    /\ \A c \in Completers : WF_vars(Pick(c))
    /\ \A r \in Runners : WF_vars(GoesOn(r)) /\ WF_vars(lock = r /\ Look(r))

Safe == Init /\ [][Next]_vars
Spec == Safe /\ Fairness
=============================================================================
