CREATE TABLE tenth (id int);
