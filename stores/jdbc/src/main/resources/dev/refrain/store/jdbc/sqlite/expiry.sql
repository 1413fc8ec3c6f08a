CASE WHEN :retention < 0 THEN {for_ever} ELSE {now} + :retention / 1000 END
