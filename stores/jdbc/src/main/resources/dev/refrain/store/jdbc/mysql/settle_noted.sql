-- A frozen transaction notes nothing here: see noted.sql.
{settle}
