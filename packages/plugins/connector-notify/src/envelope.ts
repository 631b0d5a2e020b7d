import type { ConnectorCall } from '@countersign/core/plugin';
import type { SlackInput } from './slack-connector.js';
import type { WebhookInput } from './webhook-connector.js';

export interface Message {
  readonly contentType: string;
  readonly body: string;
}

/** An event with the attribute names of CloudEvents 1.0; `time` is added later. */
interface CloudEvent {
  readonly id: string;
  readonly source: string;
  readonly type: string;
  readonly subject: string;
  readonly data?: unknown;
}

type EventContext = Pick<ConnectorCall, 'idempotencyKey' | 'runId' | 'workflowId'>;

/**
 * Builds the event that a workflow sends.
 *
 * @param source source of this installation; the workflow is appended
 * @param now milliseconds since the epoch
 */
export function buildCloudEvent(
  { type, subject, data }: WebhookInput,
  { idempotencyKey, runId, workflowId }: EventContext,
  source: string,
  now: number,
): Message {
  return serializeEvent(
    {
      id: idempotencyKey,
      source: `${source.replace(/\/$/, '')}/workflows/${encodeURIComponent(workflowId)}`,
      type,
      subject: subject ?? runId,
      ...(data === undefined ? {} : { data }),
    },
    now,
  );
}

/**
 * Serializes an event in structured mode (CloudEvents 1.0, HTTP binding 1.0.2, 3.2).
 *
 * @param time time of the event, in milliseconds since the epoch
 */
export function serializeEvent({ id, source, type, subject, data }: CloudEvent, time: number): Message {
  const event = {
    specversion: '1.0',
    id,
    source,
    type,
    subject,
    time: new Date(time).toISOString(),
    ...(data === undefined ? {} : { datacontenttype: 'application/json', data }),
  };
  return { contentType: 'application/cloudevents+json; charset=utf-8', body: JSON.stringify(event) };
}

/** Builds a message for an incoming webhook of Slack. */
export function buildSlackMessage({ text, markup, blocks }: SlackInput): Message {
  return {
    contentType: 'application/json; charset=utf-8',
    body: JSON.stringify({ text: markup ? text : escapeMarkup(text), ...(blocks === undefined ? {} : { blocks }) }),
  };
}

/** Escapes text, so that data of a run cannot mention anyone (`<!channel>`) or hide a link (Slack, "Escaping text"). */
function escapeMarkup(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
