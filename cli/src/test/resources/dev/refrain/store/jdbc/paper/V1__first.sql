CREATE TABLE first (id int);
