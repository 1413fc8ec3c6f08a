INSERT INTO refrain_audit (at, action, target, who, why) VALUES (clock_timestamp(), :action, :target, :who, :why)
