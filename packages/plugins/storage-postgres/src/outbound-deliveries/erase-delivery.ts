/**
 * SQL assignments that erase deliveries `d`. The new epoch prevents a worker that is sending a delivery from recording
 * its result. Pending deliveries are not sent.
 */
export const ERASE_DELIVERY_ASSIGNMENTS = `body = '', epoch = d.epoch + 1, forced = false, next_attempt_at = NULL,
  error = CASE d.status WHEN 'pending' THEN 'erased' ELSE d.error END,
  ended_at = COALESCE(d.ended_at, now()),
  status = CASE d.status WHEN 'pending' THEN 'failed' ELSE d.status END`;
