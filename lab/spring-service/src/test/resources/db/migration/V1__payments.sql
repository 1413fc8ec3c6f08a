CREATE TABLE payment (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, payer text NOT NULL, amount bigint NOT NULL);
