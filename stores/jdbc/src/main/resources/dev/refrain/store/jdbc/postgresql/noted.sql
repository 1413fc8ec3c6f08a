-- Whether this frozen transaction has written the record itself, so that nobody else can see it. * stands for more keys than were noted.
SELECT 1 AS noted
WHERE string_to_array(coalesce(current_setting('refrain.written', true), ''), ' ') && ARRAY['*', :lookup::text]
