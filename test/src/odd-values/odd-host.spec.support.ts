import { connectorHttpPlugin } from '@countersign/connector-http';
import type { Role, Run } from '@countersign/contract';
import { ReadinessCheckContribution, type LoggerPort } from '@countersign/core';
import { outboundHttpPlugin } from '@countersign/outbound-http';
import { createTestHost, seconds, type TestHost, waitUntil } from '@countersign/testing';
import { Agent, request, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import pg from 'pg';
import { startService, type Service } from '../connectors/connectors.spec.support.js';
import { SECRET, buildSignature } from '../event-ingress/ingress.spec.support.js';
import { agentModel } from '../http/scripted-agents.spec.support.js';
import { findPackErrors } from '../http/check-pack.spec.support.js';
import { OddWork } from './odd-work.spec.support.js';
import {
  APPROVAL_MODEL,
  FAILING_MODEL,
  CONNECTOR_MODEL,
  DECISION_MODEL,
  WAITING_MODEL,
  MESSAGE_MODEL,
  WORKFLOWS_BY_ID,
  CONDITIONAL_START_MODEL,
  JOB_MODEL,
} from './workflows.spec.support.js';
import { parseNormalizedJson } from './normalized-json.spec.support.js';

export interface SentRequest {
  readonly method: string;
  /** Path exactly as sent. */
  readonly path: string;
  readonly role?: Role;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body, with all digits of its numbers (`parseNormalizedJson`). */
  readonly json: AnyJson;
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any response; errors in it show in comparisons
export type AnyJson = any;

/** A warning or an error in the log. */
export interface LogEntry {
  readonly message: string;
  readonly fields: object;
}

const JSON_BODY = { 'content-type': 'application/json' };
const MAX_RESPONSE_SECONDS = 20;
/** Delay after which an overdue timer or job counts as stuck. */
const OVERDUE_SECONDS = 5;

/** A server with workflows that use values in every kind of position. */
export class OddHost {
  readonly #tokens = new Map<string, string>();
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 16 });

  private constructor(
    readonly server: TestHost,
    readonly work: OddWork,
    readonly service: Service,
    readonly logged: LogEntry[],
  ) {}

  static async create(): Promise<OddHost> {
    const logged: LogEntry[] = [];
    const recordEntry = (fields: object, message: string): void => void logged.push({ fields, message });
    const logger: LoggerPort = { debug: () => undefined, info: () => undefined, warn: recordEntry, error: recordEntry };
    const service = await startService();
    const work = new OddWork();
    const server = await createTestHost({
      logger,
      plugins: [outboundHttpPlugin, connectorHttpPlugin, work.plugin(), work.agents.plugin()],
      jobTypes: ['healthy'],
      configuration: {
        Integrations: { EventIngress: { Enabled: true, Sources: [{ Id: 'shop', Secret: SECRET }] } },
        Connectors: { AllowedNetworks: ['127.0.0.1'], Http: { AllowedHosts: [service.host] } },
      },
    });
    const oddHost = new OddHost(server, work, service, logged);
    for (const role of ['viewer', 'operator', 'approver', 'admin'] as const)
      oddHost.#tokens.set(role, await server.token(role, { subject: `${role}-of-odd-values` }));
    for (const model of [
      ...WORKFLOWS_BY_ID.values(),
      agentModel('agent', 'odd'),
      JOB_MODEL,
      CONNECTOR_MODEL,
      MESSAGE_MODEL,
      APPROVAL_MODEL,
      FAILING_MODEL,
      WAITING_MODEL,
      CONDITIONAL_START_MODEL,
    ])
      await server.deploy(model);
    await oddHost.send({
      method: 'POST',
      path: '/api/decisions',
      role: 'admin',
      headers: { 'content-type': 'application/xml' },
      body: DECISION_MODEL,
    });
    return oddHost;
  }

  async close(): Promise<void> {
    this.#agent.destroy();
    await this.service.close();
    await this.server.close();
  }

  /**
   * Sends a request exactly as specified, byte for byte.
   *
   * @throws {Error} if the response reports a server failure or has no error code
   */
  async send({ method, path, role, headers = {}, body }: SentRequest): Promise<HttpResponse> {
    const authorization: Record<string, string> =
      role === undefined ? {} : { authorization: `Bearer ${this.#tokens.get(role) ?? ''}` };
    const response = await this.#exchange(method, path, { ...authorization, ...headers }, Buffer.from(body ?? ''));
    const exchangeText = `${method} ${clip(path)} ${clip(String(body ?? ''))}\nreceived status ${response.status}: ${clip(String(response.bytes))}`;
    if (response.status >= 500) throw new Error(exchangeText);
    if (response.status >= 400 && typeof response.json?.code !== 'string')
      throw new Error(`The error response has no code: ${exchangeText}`);
    return response;
  }

  #exchange(
    method: string,
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Buffer,
  ): Promise<HttpResponse> {
    const { hostname, port } = new URL(this.server.url);
    return new Promise((resolve, reject) => {
      const length = body.length > 0 || method !== 'GET' ? { 'content-length': String(body.length) } : {};
      const clientRequest = request(
        { hostname, port, method, path, agent: this.#agent, headers: { ...headers, ...length } },
        (response) => {
          const { statusCode: status = 0, headers: received } = response;
          const type = received['content-type'] ?? '';
          // An event stream never ends.
          if (type.startsWith('text/event-stream')) {
            resolve({ status, headers: received, bytes: Buffer.alloc(0), json: undefined });
            response.destroy();
            return;
          }
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const bytes = Buffer.concat(chunks);
            const isJson = /^application\/(problem\+)?json/.test(type);
            resolve({ status, headers: received, bytes, json: isJson ? parseJson(bytes) : undefined });
          });
        },
      );
      const limit = seconds(MAX_RESPONSE_SECONDS);
      clientRequest.setTimeout(limit, () =>
        clientRequest.destroy(new Error(`${method} ${clip(path)} received no response within ${limit} ms.`)),
      );
      clientRequest.on('error', reject).end(body);
    });
  }

  post(path: string, body: string, role: Role = 'operator'): Promise<HttpResponse> {
    return this.send({ method: 'POST', path, role, headers: JSON_BODY, body });
  }

  get(path: string, role: Role = 'admin'): Promise<HttpResponse> {
    return this.send({ method: 'GET', path, role });
  }

  /** Starts a run. @param inputs JSON text @returns the run id, or `undefined` if the start was refused */
  async start(workflowId: string, inputs: string, extraFields = ''): Promise<string | undefined> {
    const response = await this.post(
      '/api/runs',
      `{"workflowId":${JSON.stringify(workflowId)},"inputs":${inputs}${extraFields}}`,
    );
    return response.status === 201 ? String(response.json.runId) : undefined;
  }

  /** Delivers a signed event, as an external service does. */
  deliver(body: string | Buffer, delivery: string): Promise<HttpResponse> {
    const headers = {
      'x-service-source': 'shop',
      'x-service-signature-256': buildSignature(body),
      'x-service-delivery': delivery,
    };
    return this.send({ method: 'POST', path: '/webhooks/events', headers, body });
  }

  /** Adds a path to the service. @param respond sends the response to a call of this path @returns the URL to call */
  addServicePath(respond: (response: ServerResponse) => void): string {
    const path = `/${this.service.calls.length}-${Math.trunc(performance.now() * 1_000)}`;
    this.#responders.set(path, respond);
    this.service.respond = (call, response) => (this.#responders.get(call.path) ?? ((each) => each.end()))(response);
    return `${this.service.url}${path}`;
  }

  readonly #responders = new Map<string, (response: ServerResponse) => void>();

  /** Waits until no step of the run executes. */
  waitUntilSettled(runId: string): Promise<AnyJson & Run> {
    return waitUntil(`run ${runId} ends, waits or has an incident`, async () => {
      const { json } = await this.get(`/api/runs/${runId}`);
      return json.status !== 'active' && json;
    });
  }

  /** Reads everything about a run. @throws {Error} if something cannot be read or replayed */
  async readEverything(runId: string, { pack = false } = {}): Promise<void> {
    const { json: state } = await this.get(`/api/runs/${runId}/state`);
    if (state.gap !== null) {
      const { bytes } = await this.get(`/api/runs/${runId}/events?limit=200`);
      throw new Error(`The history of run ${runId} cannot be replayed: ${JSON.stringify(state.gap)}\n${String(bytes)}`);
    }
    await this.get(`/api/runs/${runId}/events?limit=200`);
    await this.get(`/api/audit-events?runId=${runId}`);
    if (!pack) return;
    const { bytes } = await this.get(`/api/runs/${runId}/evidence-pack`);
    const faults = findPackErrors(JSON.parse(String(bytes)) as Parameters<typeof findPackErrors>[0]);
    if (faults.length > 0)
      throw new Error(`The evidence of run ${runId} cannot be verified: ${faults.join('; ')}\n${clip(String(bytes))}`);
  }

  /** Returns the data of the first run event of a type. */
  async findEventData(runId: string, type: string): Promise<AnyJson> {
    const { json } = await this.get(`/api/runs/${runId}/events?limit=200`);
    return json.items.find((event: AnyJson) => event.type === type)?.data;
  }

  /** Returns the overdue timers, messages between runs and jobs. Empty if all work makes progress. */
  async findOverdueWork(): Promise<string[]> {
    const { rows } = await this.#query(`
      SELECT 'timer' AS what, run_id, due_at AS due FROM timers WHERE due_at < now() - interval '${OVERDUE_SECONDS} s'
      UNION ALL SELECT 'start timer of ' || workflow_id, NULL, due_at FROM start_timers WHERE due_at < now() - interval '${OVERDUE_SECONDS} s'
      UNION ALL SELECT 'message between runs, attempt ' || attempts, run_id, available_at FROM outbox WHERE sent_at < now() - interval '${OVERDUE_SECONDS} s'
      UNION ALL SELECT 'job ' || job_type, run_id, available_at FROM jobs
        WHERE available_at < now() - interval '${OVERDUE_SECONDS} s' AND job_type IN ('odd-work', 'http', 'healthy')`);
    return rows.map((row) => JSON.stringify(row));
  }

  async #query(text: string): Promise<pg.QueryResult<Record<string, unknown>>> {
    const client = new pg.Client(this.server.database.connectionString);
    await client.connect();
    try {
      return await client.query(text);
    } finally {
      await client.end();
    }
  }

  /** Returns the problems that the server reports about itself. */
  async findReadinessProblems(): Promise<string[]> {
    const checks = await Promise.all(
      this.server.host
        .getAll(ReadinessCheckContribution)
        .map(async (each) => ({ name: each.name, ...(await each.check()) })),
    );
    return checks.filter(({ status }) => status !== 'ok').map((check) => JSON.stringify(check));
  }
}

/**
 * Parses JSON. Returns `undefined` if the content is invalid, for example if an artifact declares a JSON type but has
 * other content.
 */
function parseJson(bytes: Buffer): AnyJson {
  try {
    return parseNormalizedJson(String(bytes));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const MAX_CLIPPED_LENGTH = 1_500;

export function clip(text: string): string {
  return text.length <= MAX_CLIPPED_LENGTH ? text : `${text.slice(0, MAX_CLIPPED_LENGTH)}… (${text.length} characters)`;
}
