INSERT INTO refrain_audit (at, action, target, who, why) VALUES ({now}, :action, :target, :who, :why)
