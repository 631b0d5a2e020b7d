import { StoragePort, type JsonObject, type RunRecord } from '@countersign/core';
import { createTestHost, type TestHost, type TestHostOptions } from '@countersign/testing';
import { createHmac, randomUUID } from 'node:crypto';
import { Agent, request, type IncomingHttpHeaders } from 'node:http';
import { messageModel, receivingModel, catchEvent } from '../messages/messages.spec.support.js';

export const SECRET = 'a secret of the shop that is long enough';

/** Header names and values in the order in which they are sent; a name may occur several times. */
export type Headers = readonly (readonly [string, string])[];

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: JsonObject;
}

export interface WebhookRequest {
  readonly body: Buffer;
  readonly headers: Headers;
  /** Whether the body is sent with chunked transfer encoding, without `Content-Length`. */
  readonly chunked?: boolean;
}

export const buildSignature = (body: Buffer | string, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

export const buildEvent = (correlationKey: string, messageName = 'ci.passed', payload: JsonObject = {}): Buffer =>
  Buffer.from(JSON.stringify({ messageName, correlationKey, payload }));

/** Returns a request with the headers and the signature of a sender. */
export function buildSignedRequest(
  body: Buffer,
  {
    source = 'shop',
    secret = SECRET,
    delivery = randomUUID(),
  }: { source?: string; secret?: string; delivery?: string | null } = {},
): WebhookRequest {
  const deliveryHeader: Headers = delivery === null ? [] : [['X-Service-Delivery', delivery]];
  return {
    body,
    headers: [
      ['X-Service-Source', source],
      ['X-Service-Signature-256', buildSignature(body, secret)],
      ...deliveryHeader,
    ],
  };
}

/** Returns the request with a different value for a header, or without the header. */
export function withHeader({ body, headers }: WebhookRequest, name: string, value: string | null): WebhookRequest {
  const otherHeaders = headers.filter(([each]) => each !== name);
  return { body, headers: value === null ? otherHeaders : [...otherHeaders, [name, value]] };
}

/** Sends exactly the given request. */
export function post(
  url: string,
  { body, headers, chunked = false }: WebhookRequest,
  agent: Agent,
): Promise<HttpResponse> {
  const lengthHeader: Headers = chunked
    ? [['Transfer-Encoding', 'chunked']]
    : [['Content-Length', String(body.length)]];
  const { host } = new URL(url);
  return new Promise((resolve, reject) => {
    const clientRequest = request(
      url,
      { method: 'POST', agent, headers: [['Host', host], ...headers, ...lengthHeader].flat() as unknown as string[] },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: JSON.parse(Buffer.concat(chunks).toString()) as JsonObject,
          }),
        );
      },
    );
    clientRequest.on('error', reject).end(body);
  });
}

/** Countersign server with sources that may send events. */
export class Ingress {
  private readonly agent = new Agent({ keepAlive: true, maxSockets: 16 });

  private constructor(
    readonly server: TestHost,
    private readonly url: string,
  ) {}

  static async create(sources: readonly JsonObject[] = [], options: TestHostOptions = {}): Promise<Ingress> {
    const EventIngress = { Enabled: true, Sources: [{ Id: 'shop', Secret: SECRET }, ...sources] };
    const server = await createTestHost({
      ...options,
      configuration: { Integrations: { EventIngress }, ...options.configuration },
    });
    await server.deploy(receivingModel('gate', 'ci.passed'));
    await server.deploy(
      messageModel(
        'approving',
        `<bpmn:startEvent id="start" />${catchEvent('wait', 'review.started')}<bpmn:userTask id="approve" /><bpmn:endEvent id="end" />`,
        'start > wait',
        'wait > approve',
        'approve > end',
      ),
    );
    return new Ingress(server, `${server.url}/webhooks/events`);
  }

  async close(): Promise<void> {
    this.agent.destroy();
    await this.server.close();
  }

  /** Sends exactly the given request. */
  post(webhookRequest: WebhookRequest): Promise<HttpResponse> {
    return post(this.url, webhookRequest, this.agent);
  }

  /** Starts a run that waits for `ci.passed` with this key. */
  async startWaitingRun(key: string, workflowId = 'gate'): Promise<string> {
    const client = await this.server.client('viewer');
    return (await client.startRun({ body: { workflowId, inputs: { key } } })).runId;
  }

  async requireRun(runId: string): Promise<RunRecord> {
    const record = await this.server.host.get(StoragePort).findRun(runId);
    if (record === undefined) throw new Error(`No run ${runId} was found.`);
    return record.run;
  }
}

/** Returns the parts of a response that differ between two responses only if a sender can distinguish them. */
export function getVisibleParts({ status, headers, body }: HttpResponse): unknown {
  const { traceId, ...otherFields } = body;
  const { date, 'x-request-id': requestId, ...otherHeaders } = headers;
  return { status, headers: otherHeaders, body: otherFields, named: [typeof traceId, typeof date, typeof requestId] };
}
