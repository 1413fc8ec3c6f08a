-- Registrations of instances that are gone.
DELETE FROM refrain_waiter WHERE until <= clock_timestamp()
