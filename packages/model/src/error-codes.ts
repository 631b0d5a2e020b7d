/** The HTTP meaning of a stable error code. */
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
 * The stable error codes. A code never changes its meaning or status, because clients depend on it. 400: the request
 * cannot be parsed (broken JSON, bad parameters). 422: the body can be parsed, but is wrong.
 */
export const ERROR_CODES = Object.freeze({
  // 400
  malformed_json: info(400, 'Malformed JSON', 'The body is not JSON.'),
  malformed_request: info(
    400,
    'Malformed request',
    'The request is not valid HTTP for this route, for example because of a broken header or escape sequence.',
  ),
  body_already_read: info(
    400,
    'Body already read',
    'A body parser of the application that Countersign is mounted in read the body first. Mount Countersign before it.',
  ),
  invalid_parameter: info(
    400,
    'Invalid parameter',
    'A query parameter or header is unknown, or its value is not allowed.',
  ),
  invalid_cursor: info(400, 'Invalid cursor', 'This list did not issue the cursor for these filters.'),
  invalid_logout_token: info(
    400,
    'Invalid logout token',
    'The form has no logout token from the issuer for this client, or the token was used before.',
  ),
  invalid_event: info(400, 'Invalid event', 'The signed body is not an event message.'),
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
    'The inbound event is not from a registered and enabled source, or its signature is invalid.',
  ),
  // 403
  forbidden: info(403, 'Insufficient role', 'The token lacks the role that this request needs.'),
  foreign_origin: info(
    403,
    'Cross-origin request refused',
    'Development tokens are not issued to pages of other sites. `Host`, and `Origin` if present, must name this machine.',
  ),
  self_approval: info(
    403,
    'Own work',
    'People who started the run, edited the subject or contributed to it may not decide its approvals. People who voted in a run may not edit its variables in a recovery.',
  ),
  own_substitute: info(
    403,
    'Own substitute',
    'You cannot make yourself the substitute of another person. Ask that person or an admin.',
  ),
  not_a_candidate: info(403, 'Not a candidate', 'The approval is assigned to other people or groups.'),
  service_cannot_decide: info(403, 'Not a person', 'Service and agent tokens cannot decide approvals.'),
  service_cannot_answer: info(403, 'Not a person', 'Service and agent tokens cannot answer questions.'),
  signing_key_unknown: info(403, 'Unknown key', 'You have no signing key with this id.'),
  signing_key_revoked: info(403, 'Key revoked', 'The key is permanently revoked. Register another one.'),
  signing_key_not_enrolled: info(
    403,
    'Key not enrolled',
    'The key has not yet been proved to be yours. Sign in again and register it again, countersign it with another of your keys, or ask another person who is an admin to approve it.',
  ),
  signing_key_own: info(
    403,
    'Your own key',
    'An admin can only approve keys of other people. Sign in again and register it again, or countersign it with another of your keys.',
  ),
  policy_denied: info(403, 'Denied by the policy', 'The policy denies the edited call. Nothing was recorded.'),
  message_not_allowed: info(403, 'Message not allowed', 'This source may not send messages with this name.'),
  // 404
  not_found: info(404, 'Not found', 'The resource does not exist.'),
  route_not_found: info(404, 'Unknown path', 'No route matches this path.'),
  run_not_found: info(404, 'Run not found', 'No run has this id.'),
  workflow_not_found: info(404, 'Workflow not found', 'No workflow has this id.'),
  workflow_version_not_found: info(404, 'Version not found', 'The workflow does not have this version.'),
  decision_not_found: info(404, 'Decision not found', 'No DMN decision has this id.'),
  decision_version_not_found: info(404, 'Version not found', 'The DMN decision does not have this version.'),
  approval_not_found: info(404, 'Approval not found', 'No approval has this id.'),
  signing_key_not_found: info(404, 'Key not found', 'No signing key has this id, or it is not yours.'),
  artifact_not_found: info(404, 'Artifact not found', 'The run has no artifact with this name and version.'),
  outbound_delivery_not_found: info(
    404,
    'Delivery not found',
    'No outbound delivery has this id, or it is no longer stored.',
  ),
  question_not_found: info(404, 'Question not found', 'The run has no question with this id.'),
  step_not_found: info(404, 'Step not found', 'The run has no step with this id, or no agent has worked on it.'),
  policy_not_found: info(
    404,
    'Policy not found',
    'No policy with this digest has been in force here, or the policy in force does not support drafts.',
  ),
  tool_not_found: info(404, 'Tool not found', 'No source offers a tool with this name.'),
  inbound_event_not_found: info(404, 'Event not found', 'No inbound event has this id, or it is no longer stored.'),
  settings_target_not_found: info(404, 'Target not found', 'No settings test has this name.'),
  dev_token_disabled: info(404, 'Development tokens are off', 'This server does not issue development tokens.'),
  // 405–408
  method_not_allowed: info(
    405,
    'Method not allowed',
    'This path does not support this method. `Allow` lists the supported methods.',
  ),
  not_acceptable: info(406, 'Not acceptable', 'The response is not available in a format that `Accept` names.'),
  request_timeout: info(408, 'Request timed out', 'The body did not arrive in time.', true),
  // 409
  conflict: info(409, 'Conflict', 'Another request changed the same data at the same time. Nothing was done.', true),
  idempotency_in_flight: info(
    409,
    'Still in progress',
    'Another request with this idempotency key is in progress.',
    true,
  ),
  no_start_event: info(
    409,
    'Not started by a request',
    'The workflow has no start event without a trigger. `starts` lists the elements that start its runs.',
  ),
  engine_not_available: info(
    409,
    'Engine not available',
    'No running server has this engine. `available` lists the engines of the running servers.',
  ),
  run_not_ended: info(409, 'Run has not ended', 'The run still needs its data. Cancel it, or wait until it ends.'),
  run_already_ended: info(409, 'Run has ended', 'The run has ended and accepts no more commands.'),
  run_not_recoverable: info(
    409,
    'Nothing to recover',
    'The run has no failed step to retry, or a named step has not failed.',
  ),
  migration_refused: info(
    409,
    'Can’t migrate',
    'The run can’t be migrated to that version in its current state. `errors` names each element and the reason. Nothing was changed.',
  ),
  run_cancelling: info(
    409,
    'Already cancelling',
    'The run is being cancelled, and its compensation is still in progress.',
  ),
  approval_already_resolved: info(
    409,
    'Already decided',
    'The approval is no longer pending. `resolvedBy` names the user who decided it.',
  ),
  already_voted: info(409, 'Already voted', 'You have already voted in this round. A quorum counts distinct people.'),
  stale_digest: info(409, 'Subject has changed', 'The subject has changed since you viewed it.'),
  stale_round: info(409, 'Round has changed', 'The approval is no longer in the round that you viewed.'),
  rework_not_possible: info(
    409,
    'No step to go back to',
    'The workflow has no rework step for requested changes. Nothing was recorded.',
  ),
  signing_key_taken: info(
    409,
    'Key belongs to another person',
    'Another person has registered this key. Create your own.',
  ),
  too_many_signing_keys: info(
    409,
    'Too many keys',
    'You have the maximum number of signing keys. Revoke those that you do not use.',
  ),
  too_many_comments: info(409, 'Too many comments', 'The approval has the maximum number of comments.'),
  too_many_own_comments: info(
    409,
    'Too many own comments',
    'You have added the maximum number of comments, or of characters, to the discussion of the approval.',
  ),
  discussion_too_long: info(
    409,
    'Discussion too long',
    'The discussion of the approval would exceed its maximum number of characters.',
  ),
  job_not_active: info(409, 'Job has ended', 'The step of the job has ended. The result has no effect.'),
  not_waiting: info(409, 'Not waiting', 'The run is no longer waiting for this event.'),
  inbound_event_not_redeliverable: info(
    409,
    'Can’t redeliver',
    'The event has reached a run, is still waiting for one, or was refused.',
  ),
  question_already_answered: info(
    409,
    'Already answered',
    'The question is no longer open. `questionStatus` gives the reason, and `answeredBy` names the user who answered.',
  ),
  // 413–416
  payload_too_large: info(413, 'Too large', 'The body is larger than the limit.'),
  unsupported_media_type: info(
    415,
    'Unsupported media type',
    'This route does not accept a body of this content type.',
  ),
  range_not_satisfiable: info(416, 'Range not satisfiable', 'The range is outside the artifact.'),
  // 421
  host_not_allowed: info(
    421,
    'Unknown host',
    '`Host` is not a configured name of this server. An operator can add it to `Server:AllowedHosts`.',
  ),
  // 422
  validation_failed: info(
    422,
    'Invalid input',
    'The body has missing, invalid or unknown fields. `errors` lists them.',
  ),
  polluting_key: info(422, 'Forbidden key', 'The body uses `__proto__`, `constructor` or `prototype` as a key.'),
  inputs_invalid: info(422, 'Invalid inputs', 'The inputs do not match the JSON Schema of the workflow.'),
  result_variable_reserved: info(
    422,
    'Reserved variable',
    'Only a decision may write the result variable of an approval.',
  ),
  too_many_conditions: info(
    422,
    'Too many conditions',
    'The request would evaluate the conditions of too many start events or start too many runs. Specify one workflow. Nothing was started.',
  ),
  policy_invalid: info(
    422,
    'Invalid policy',
    'The policies do not parse, do not match their schema, or are too large. The detail lists the errors by file and line.',
  ),
  invalid_message: info(
    422,
    'Invalid message',
    'The name or correlation key of the message is empty or too long, or its payload can’t be stored.',
  ),
  invalid_answer: info(
    422,
    'Invalid answer',
    'The answer is not one of the options, does not match the schema of the question, or is not a string of 1 to 10,000 characters. `errors` lists the problems.',
  ),
  edit_not_possible: info(422, 'Nothing to edit', 'Only the arguments of a tool call can be edited.'),
  bulk_not_allowed: info(
    422,
    'Can’t be decided together',
    'Not all of the approvals have low risk and belong to the same element, or an approval is listed twice. `errors` names each such approval. Nothing was decided.',
  ),
  digest_required: info(
    422,
    'Digest required',
    'This approval requires `expectedDigest`: the digest of the subject that was viewed. Nothing was recorded.',
  ),
  signature_required: info(422, 'Signature required', 'This approval requires signed votes. Nothing was recorded.'),
  signature_invalid: info(
    422,
    'Invalid signature',
    'The signature is malformed, wrong, or for another statement. `errors` lists the differences. Nothing was recorded.',
  ),
  signature_expired: info(
    422,
    'Signature expired',
    'The statement was signed too long ago, or its time is in the future. Sign it again; if the clock of the device is wrong, use the server’s time.',
  ),
  comment_required: info(422, 'Comment required', 'A request for changes requires a comment.'),
  response_erased: info(
    410,
    'Response erased',
    'The request was carried out before, and personal data of its run has been erased since, with the response. Nothing was done now.',
  ),
  idempotency_key_reused: info(422, 'Idempotency key reused', 'The key was used before with a different body.'),
  model_refused: info(
    422,
    'Model refused',
    'The model can’t be executed as drawn. `errors` names each element and the reason.',
  ),
  unknown_setting: info(
    422,
    'Unknown setting',
    'The setting does not exist or can’t be changed here. Nothing was saved.',
  ),
  command_not_storable: info(
    422,
    'Cannot be stored',
    'The result of the command cannot be computed or stored, and a retry would fail in the same way. `detail` states the reason. Nothing was changed.',
  ),
  // 429, 5xx
  not_supported_by_engine: info(
    501,
    'Not supported by the engine',
    'The engine of this server cannot do this. `engine.unsupported` of `GET /api/me` lists what it cannot do.',
  ),
  rate_limited: info(429, 'Too many requests', 'Slow down. `Retry-After` gives the seconds to wait.', true),
  artifact_damaged: info(
    500,
    'Artifact damaged',
    'The stored bytes of the artifact are missing or do not match the recorded digest, so they are not served. An operator can restore them from a backup.',
  ),
  internal_error: info(
    500,
    'Internal error',
    'An unexpected error occurred on the server. To find the cause, search the server log for the trace id.',
  ),
  service_unavailable: info(
    503,
    'Unavailable',
    'The server is starting, draining, or can’t reach a system that it needs.',
    true,
  ),
  storage_full: info(
    507,
    'No space left',
    'The server has no space left for artifacts. An operator must free some space.',
    true,
  ),
});

export type ErrorCode = keyof typeof ERROR_CODES;

/** Returns whether `value` is a known code. */
export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(ERROR_CODES, value);
}
