/**
 * What an erasure sets of deliveries `d`. Whoever is making one notes nothing of it any more, by its epoch. One that was not
 * made never will be.
 */
export const ERASED_DELIVERY = `body = '', epoch = d.epoch + 1, forced = false, next_attempt_at = NULL,
  error = CASE d.status WHEN 'pending' THEN 'erased' ELSE d.error END,
  ended_at = COALESCE(d.ended_at, now()),
  status = CASE d.status WHEN 'pending' THEN 'failed' ELSE d.status END`;
