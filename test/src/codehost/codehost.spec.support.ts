import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import type { JsonObject } from '@countersign/core';
import { processModel, serviceTask, type TestHost } from '@countersign/testing';
import { sign } from '@octokit/webhooks-methods';

const require = createRequire(import.meta.url);
// A JSON module, loaded with `require` to omit its types, which describe every body and slow down the compiler.
const RECORDED_WEBHOOKS = require('@octokit/webhooks-examples') as readonly {
  readonly name: string;
  readonly examples: readonly JsonObject[];
}[];

export const SECRET = 'a secret that is long enough to be one';

/** Returns the first recorded GitHub body for an event and action. */
export function getGithubBody(name: string, action?: string): JsonObject {
  const body = RECORDED_WEBHOOKS.find((each) => each.name === name)?.examples.find(
    (each) => action === undefined || each['action'] === action,
  );
  if (body === undefined) throw new Error(`No body of ${name} ${action ?? ''} was recorded.`);
  return body;
}

export interface WebhookResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly body: JsonObject;
}

export async function post(
  { url }: Pick<TestHost, 'url'>,
  headers: Record<string, string>,
  body: string,
): Promise<WebhookResponse> {
  const response = await fetch(`${url}/webhooks/codehost`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, headers: response.headers, body: (await response.json()) as JsonObject };
}

/** Delivers an event like GitHub, signed with Octokit. */
export async function postGithubEvent(
  host: Pick<TestHost, 'url'>,
  event: string,
  body: JsonObject | string,
  extraHeaders: Record<string, string> = {},
): Promise<WebhookResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return post(
    host,
    {
      'X-GitHub-Event': event,
      'X-GitHub-Delivery': randomUUID(),
      'X-Hub-Signature-256': await sign(SECRET, text),
      ...extraHeaders,
    },
    text,
  );
}

/** Delivers an event like Gitea, with the signature in the headers of Gitea and GitHub. */
export async function postGiteaEvent(
  host: Pick<TestHost, 'url'>,
  event: string,
  body: JsonObject,
  uuid: string = randomUUID(),
): Promise<WebhookResponse> {
  const text = JSON.stringify(body);
  const signature = await sign(SECRET, text);
  const digits = signature.slice('sha256='.length);
  const giteaHeaders = {
    'X-Gitea-Event': event,
    'X-Gitea-Delivery': uuid,
    'X-Gitea-Signature': digits,
    'X-Gogs-Event': event,
    'X-Gogs-Delivery': uuid,
    'X-Gogs-Signature': digits,
  };
  return post(
    host,
    { ...giteaHeaders, 'X-GitHub-Event': event, 'X-GitHub-Delivery': uuid, 'X-Hub-Signature-256': signature },
    text,
  );
}

/** Returns a workflow that a message starts and that ends immediately. */
export function startByMessageModel(id: string, message: string): string {
  const elements =
    '<bpmn:startEvent id="start"><bpmn:messageEventDefinition messageRef="m" /></bpmn:startEvent><bpmn:endEvent id="end" />';
  return processModel(id, elements, 'start > end').replace(
    '</bpmn:definitions>',
    `<bpmn:message id="m" name="${message}" /></bpmn:definitions>`,
  );
}

/** Returns a workflow: an opened issue starts a run, a task processes it, then the run waits for a comment on it. */
export function triageModel(id: string): string {
  const elements =
    `<bpmn:startEvent id="opened"><bpmn:messageEventDefinition messageRef="m-opened" /></bpmn:startEvent>${serviceTask('look', 'look')}` +
    '<bpmn:intermediateCatchEvent id="comment"><bpmn:messageEventDefinition messageRef="m-comment" /></bpmn:intermediateCatchEvent><bpmn:endEvent id="end" />';
  const messages =
    '<bpmn:message id="m-opened" name="codehost.issues.opened" />' +
    '<bpmn:message id="m-comment" name="codehost.issue_comment.created"><bpmn:extensionElements><zeebe:subscription correlationKey="=codehost.correlationKey" /></bpmn:extensionElements></bpmn:message>';
  return processModel(id, elements, 'opened > look', 'look > comment', 'comment > end').replace(
    '</bpmn:definitions>',
    `${messages}</bpmn:definitions>`,
  );
}
