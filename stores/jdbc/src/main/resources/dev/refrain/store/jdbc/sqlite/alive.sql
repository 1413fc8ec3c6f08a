-- Only what is settled expires.
NOT (r.state IN (2, 3) AND r.expires_at <= {now})
