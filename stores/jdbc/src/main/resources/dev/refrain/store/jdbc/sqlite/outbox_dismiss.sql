{outbox_decided}
