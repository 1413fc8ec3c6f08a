-- There is no way beside the traffic here: it waits until the index is there, about a second for a million records.
{browsing_index}
