------------------------------ MODULE Promises ------------------------------
(* What Refrain promises, as invariants and properties of the model. *)
EXTENDS Refrain, TLC

Intents == 1 .. Lives

\* Which of the like requests is which makes no difference. (Not used where liveness is checked.)
Symmetry == Permutations(Likes)

-----------------------------------------------------------------------------
(* Safety *)

States == {"ABSENT", "IN_PROGRESS", "COMPLETED", "RELEASED", "ATTENTION"}

WellFormed ==
    /\ record.state \in States
    /\ record.alive => record.state = "IN_PROGRESS"
    /\ (record.outcome # NoOutcome) <=> record.state = "COMPLETED"
    /\ life \in Intents
    /\ lock \in Requests \cup {"nobody"}

\* One effect: a committed phase never runs again.
OneEffect == \A l \in Intents : effects[l].order <= 1 /\ effects[l].receipt <= 1

\* One charge, whatever the downstream offers.
OneCharge == \A l \in Intents : charges[l] <= 1

\* No lost effect: what is told to have succeeded has happened.
NoLostEffect ==
    record.state = "COMPLETED" /\ record.outcome.kind = "success" =>
        /\ Way \in {"transactional", "flow"} => effects[life].order >= 1
        /\ Way \in {"resume", "hold", "flow"} => charges[life] >= 1
        /\ Way = "flow" => effects[life].receipt >= 1

\* A failure that was rolled back left nothing behind.
NoHalfEffect ==
    Way = "transactional" /\ record.state = "COMPLETED" /\ record.outcome.kind = "failed" => effects[life].order = 0

\* At most one claim of a record can write.
OneClaimWrites == ~stray

\* Whoever was answered with an outcome, everyone is, until the record expires.
ReplaysAreEqual ==
    /\ \A a, b \in answers : a.life = b.life => a.outcome = b.outcome
    /\ \A a \in answers : a.life = life => record.state = "COMPLETED" /\ record.outcome = a.outcome

\* A different request under a used key is never run, and never replayed.
MismatchIsRefused ==
    /\ \A a \in answers : a.asked = a.outcome.print
    /\ \A r \in Runners : Holds(r) => run[r].print = record.print

\* A completed outcome never changes before it expires.
OutcomesStand ==
    [][record.state = "COMPLETED" => record' = record \/ (record' = Absent /\ life' = life + 1)]_vars

\* The states of a record, as they are drawn. A completer that gives up claims and escalates in one statement.
StatesAsDrawn ==
    [][record'.state # record.state =>
        <<record.state, record'.state>> \in
            {<<"ABSENT", "IN_PROGRESS">>, <<"IN_PROGRESS", "COMPLETED">>, <<"IN_PROGRESS", "RELEASED">>,
             <<"RELEASED", "IN_PROGRESS">>, <<"IN_PROGRESS", "ATTENTION">>, <<"ATTENTION", "COMPLETED">>,
             <<"ATTENTION", "RELEASED">>, <<"COMPLETED", "ABSENT">>, <<"RELEASED", "ABSENT">>}
            \cup (IF Way = "transactional" THEN {<<"ABSENT", "COMPLETED">>} ELSE {})
            \cup (IF Way = "flow" THEN {<<"RELEASED", "ATTENTION">>} ELSE {})]_vars

\* A flow of which anything has happened is not forgotten before it has ended.
NothingHalfDoneIsForgotten ==
    [][Way = "flow" /\ record.state \notin {"ABSENT", "COMPLETED"} /\ record'.state = "ABSENT" =>
        effects[life].order = 0 /\ charges[life] = 0]_vars

\* While the record lives its id stays and its fence never falls; it grows with every claim.
FencesGrow ==
    [][record.state # "ABSENT" /\ record'.state # "ABSENT" =>
        /\ record'.id = record.id
        /\ record'.fence >= record.fence
        /\ record'.owner \notin {record.owner, "nobody"} => record'.fence > record.fence]_vars

-----------------------------------------------------------------------------
(* Liveness *)

\* A leased operation that nobody retries may stay RELEASED; a flow may not: the completer drives it on.
Ended == record.state \in {"ABSENT", "COMPLETED"} \/ (Way # "flow" /\ record.state = "RELEASED")

\* In the end every key is absent, COMPLETED, or RELEASED with nobody retrying; no ATTENTION is left, and no lock.
EveryKeyEnds == <>[](Ended /\ lock = "nobody")

\* Nobody runs for ever.
EveryRunEnds == \A r \in Runners : <>[](run[r].at \in {"asking", "asking again", "idle", "hung", "gone"})
=============================================================================
