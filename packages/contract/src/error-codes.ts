/** What a stable error code means over HTTP. */
export interface ErrorCodeInfo {
  readonly status: number;
  readonly title: string;
  /** Whether the same request may succeed later, unchanged. */
  readonly retryable: boolean;
  readonly description: string;
}

const info = (status: number, title: string, description: string, retryable = false): ErrorCodeInfo =>
  Object.freeze({ status, title, retryable, description });

/**
 * The stable error codes. A code never changes its meaning or status; clients decide by it.
 * 400 is what can't be read (broken JSON, bad parameters); 422 is a body that can be read and is wrong.
 */
export const ERROR_CODES = Object.freeze({
  // 400
  malformed_json: info(400, 'Malformed JSON', 'The body is not JSON.'),
  malformed_request: info(
    400,
    'Malformed request',
    'The request is not proper HTTP for this route, for example a broken header or escape.',
  ),
  invalid_parameter: info(
    400,
    'Invalid parameter',
    'A query parameter or header is unknown or has a value that it can not have.',
  ),
  invalid_cursor: info(400, 'Invalid cursor', 'The cursor is not one that this list gave out for these filters.'),
  invalid_event: info(400, 'Not an event', 'The signed body is not an event message.'),
  // 401
  unauthenticated: info(401, 'Not signed in', 'The request carries no bearer token.'),
  invalid_token: info(
    401,
    'Invalid token',
    'The bearer token is malformed, expired, not yet valid, or not from a trusted issuer.',
  ),
  invalid_signature: info(
    401,
    'Invalid signature',
    'The delivery is not from a registered, enabled source, or its signature does not hold.',
  ),
  // 403
  forbidden: info(403, 'Role missing', 'The token lacks the role that this needs.'),
  foreign_origin: info(
    403,
    'From elsewhere',
    'Development tokens are not handed to web pages of other sites; `Host` must name this machine, and `Origin` too where it is given.',
  ),
  self_approval: info(403, 'Own work', 'Whoever started the run or edited the subject may not decide its approvals.'),
  not_a_candidate: info(403, 'Not a candidate', 'The approval is meant for other people or groups.'),
  service_cannot_decide: info(403, 'Not a person', 'Service and agent tokens never decide approvals.'),
  service_cannot_answer: info(403, 'Not a person', 'Service and agent tokens never answer questions.'),
  signing_key_unknown: info(403, 'Key not known', 'No key of this id is registered as yours.'),
  signing_key_revoked: info(
    403,
    'Key revoked',
    'The key was revoked and signs nothing any more, for ever. Register another one.',
  ),
  policy_denied: info(
    403,
    'Denied by the policy',
    'The policy denies the call as it was edited; nothing was recorded.',
  ),
  message_not_allowed: info(403, 'Message not allowed', 'This source may not deliver messages of this name.'),
  // 404
  not_found: info(404, 'Not found', 'There is no such thing here.'),
  route_not_found: info(404, 'No such route', 'Nothing is served under this path.'),
  run_not_found: info(404, 'No such run', 'There is no run of this id.'),
  workflow_not_found: info(404, 'No such workflow', 'There is no workflow of this id.'),
  workflow_version_not_found: info(404, 'No such version', 'The workflow has no such version.'),
  decision_not_found: info(404, 'No such decision', 'There is no DMN decision of this id.'),
  decision_version_not_found: info(404, 'No such version', 'The decision has no such version.'),
  approval_not_found: info(404, 'No such approval', 'There is no approval of this id.'),
  signing_key_not_found: info(404, 'No such key', 'There is no signing key of this id, or it is not yours.'),
  artifact_not_found: info(404, 'No such artifact', 'The run has no artifact of this name and version.'),
  outbound_delivery_not_found: info(404, 'No such delivery', 'No notification of this id is kept, or not any more.'),
  question_not_found: info(404, 'No such question', 'The conversation has no question of this id.'),
  step_not_found: info(404, 'No such step', 'The run has no step of this id, or no agent has worked on it.'),
  policy_not_found: info(
    404,
    'No such policy',
    'No policy of this digest has been in force here, or the one in force takes no drafts.',
  ),
  tool_not_found: info(404, 'No such tool', 'No source offers a tool of this name.'),
  inbound_event_not_found: info(404, 'No such event', 'No inbound event of this id is recorded, or not any more.'),
  settings_target_not_found: info(404, 'No such target', 'Nothing of this name can be tested.'),
  dev_token_disabled: info(404, 'Development tokens are off', 'This server hands out no development tokens.'),
  // 405–408
  method_not_allowed: info(405, 'Method not allowed', 'This path does not take this method; `Allow` says which.'),
  not_acceptable: info(406, 'Not acceptable', 'This is not served in any of the formats that `Accept` names.'),
  request_timeout: info(408, 'Request timed out', 'The body did not arrive in time.', true),
  // 409
  conflict: info(409, 'Conflict', 'Something else changed it at the same time; nothing was done.', true),
  idempotency_in_flight: info(
    409,
    'Still in progress',
    'A request with this idempotency key is being worked on.',
    true,
  ),
  run_already_ended: info(409, 'Run has ended', 'The run has an outcome and takes no more commands.'),
  run_not_recoverable: info(
    409,
    'Nothing to recover',
    'The run has no step in error that could be retried, or a named step is none of them.',
  ),
  migration_refused: info(
    409,
    'Can not be moved',
    'The run can not be moved to that version as it stands; `errors` names each element and the reason. Nothing was changed.',
  ),
  run_cancelling: info(409, 'Already cancelling', 'A cancellation of the run is compensating.'),
  approval_already_resolved: info(
    409,
    'Already decided',
    'The approval is no longer pending; `resolvedBy` says who was faster.',
  ),
  already_voted: info(409, 'Already voted', 'You have voted in this round; a quorum counts distinct people.'),
  stale_digest: info(409, 'Subject has changed', 'What would be approved is not what you have seen.'),
  stale_round: info(409, 'Another round', 'The approval is not in the round that you have seen.'),
  rework_not_possible: info(
    409,
    'No step to go back to',
    'The model has no step that changes could be requested from; nothing was recorded.',
  ),
  signing_key_taken: info(
    409,
    'Key belongs to somebody else',
    'Somebody else has registered this key. Make one of your own.',
  ),
  too_many_signing_keys: info(
    409,
    'Too many keys',
    'You have as many signing keys as one person may have. Revoke those that you do not use.',
  ),
  job_not_active: info(409, 'Job is over', 'The step that the job belonged to has ended; its result has no effect.'),
  not_waiting: info(409, 'Not waiting', 'The run does not wait for this any more.'),
  inbound_event_not_redeliverable: info(
    409,
    'Not to be delivered again',
    'The event has reached a run, is still kept for one, or was refused.',
  ),
  question_already_answered: info(
    409,
    'Already answered',
    'The question is no longer open; `questionStatus` says what became of it, and `answeredBy` who was faster.',
  ),
  // 413–416
  payload_too_large: info(413, 'Too large', 'The body is larger than the limit.'),
  unsupported_media_type: info(415, 'Unsupported media type', 'This route does not take a body of this content type.'),
  range_not_satisfiable: info(416, 'Range not satisfiable', 'The range lies outside the artifact.'),
  // 422
  validation_failed: info(422, 'Invalid input', 'The body has a missing, wrong or unknown field; `errors` says where.'),
  polluting_key: info(422, 'Forbidden key', 'The body uses `__proto__`, `constructor` or `prototype` as a key.'),
  inputs_invalid: info(422, 'Inputs do not fit', 'The inputs do not fit the JSON Schema that the workflow declares.'),
  result_variable_reserved: info(
    422,
    'Reserved variable',
    'Only a decision writes the result variable of an approval.',
  ),
  too_many_conditions: info(
    422,
    'Too many conditions',
    'More start events have conditions, or conditions that hold, than one request takes; name one workflow. Nothing was started.',
  ),
  policy_invalid: info(
    422,
    'Invalid policy',
    'The policies do not parse, do not fit their schema, or are too large; the detail lists what is wrong, with files and lines.',
  ),
  invalid_message: info(
    422,
    'Not a message',
    'The name or correlation key of the message is empty or too long, or its payload holds what can not be stored.',
  ),
  invalid_answer: info(
    422,
    'Not an answer',
    'The answer is none of the options, does not fit the schema of the question, or is no text of 1 to 10,000 characters; `errors` says where.',
  ),
  edit_not_possible: info(422, 'Nothing to edit', 'Arguments can be edited only in approving a call of a tool.'),
  bulk_not_allowed: info(
    422,
    'Not to be decided together',
    'The approvals are not all of low risk and of one element, or one is named twice; `errors` names each. Nothing was decided.',
  ),
  signature_required: info(
    422,
    'Signature required',
    'Only signed votes count for this approval; nothing was recorded.',
  ),
  signature_invalid: info(
    422,
    'Invalid signature',
    'The signature is malformed, does not hold, or is of another statement; `errors` says what differs. Nothing was recorded.',
  ),
  signature_expired: info(
    422,
    'Signed at another time',
    'The statement was signed too long ago, or its time lies in the future; sign it again, with the time of the server where the clock of the device is wrong.',
  ),
  comment_required: info(422, 'Comment required', 'A request for changes needs a comment.'),
  idempotency_key_reused: info(422, 'Idempotency key reused', 'The key was used before with another body.'),
  model_refused: info(
    422,
    'Model refused',
    'The model can not be executed faithfully; `errors` names each element and the reason.',
  ),
  unknown_setting: info(
    422,
    'Unknown setting',
    'There is no such setting, or it can not be changed here; nothing was saved.',
  ),
  // 429, 5xx
  rate_limited: info(429, 'Too many requests', 'Slow down; `Retry-After` says for how long.', true),
  internal_error: info(500, 'Internal error', 'Something is wrong in the server; the trace id finds it in the log.'),
  service_unavailable: info(
    503,
    'Unavailable',
    'The server is starting, draining, or can not reach what it needs.',
    true,
  ),
});

export type ErrorCode = keyof typeof ERROR_CODES;

/** Whether `value` is a known code. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}

/** The `type` URI of a problem document. */
export function problemType(code: string): string {
  return `urn:countersign:problem:${code}`;
}
