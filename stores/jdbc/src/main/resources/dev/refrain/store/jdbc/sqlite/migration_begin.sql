-- Two processes that start at once migrate one after the other.
BEGIN IMMEDIATE
