-- The same in a frozen transaction of the caller's, which may come back to this key.
{settle}, {note_written}
