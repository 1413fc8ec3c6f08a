SELECT {view} FROM {viewed} WHERE r.lookup = :lookup AND {alive}
