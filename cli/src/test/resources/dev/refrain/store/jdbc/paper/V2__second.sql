CREATE TABLE second (id int);
