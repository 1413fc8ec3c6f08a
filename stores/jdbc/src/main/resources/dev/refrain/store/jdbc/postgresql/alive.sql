-- Only what is settled expires: a flow that is half done is never forgotten.
NOT ({settled} AND r.expires_at <= clock_timestamp())
