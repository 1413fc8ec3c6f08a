-- A record r that nobody is going to continue; one released between two phases of a flow is.
(r.state = 2 OR r.state = 3 AND r.recovery_point IS NULL)
