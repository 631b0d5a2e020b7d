import {
  ClockPort,
  isTerminalFailure,
  type Json,
  type Live,
  OutboundHttpPort,
  type OutboundResponse,
  RetryableFailure,
  type ToolCall,
  ToolError,
  type ToolOutput,
} from '@countersign/core/plugin';
import { findJsonProblem } from '@countersign/model';
import { inject, injectable } from 'inversify';
import { LiveHttpConnectorConfiguration, type HttpConnectorConfiguration } from './configuration.js';
import type { HttpInput } from './http-input.js';
import type { HttpGetInput, HttpRequestInput, HttpToolOutput } from './http-tool-schemas.js';
import { toHttpOutput, parseRetryAfter } from './read-response.js';
import { buildRequest } from './build-request.js';

const TIMEOUT_MS = 30_000;
/** Response headers that are useful to a language model. */
const VISIBLE_HEADERS: ReadonlySet<string> = new Set([
  'content-type',
  'content-range',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
]);

type AgentRequest = (HttpGetInput & { readonly method: 'GET' }) | HttpRequestInput;

/**
 * Makes HTTP calls for agents, like the connector for workflows, but with the hosts and credentials configured for
 * agents.
 */
@injectable()
export class AgentHttp {
  constructor(
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveHttpConnectorConfiguration) private readonly configuration: Live<HttpConnectorConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Makes one call. Returns a response of any status, including redirects, because the policy has not evaluated their
   * targets.
   *
   * @param busyStatuses statuses that mean that the service did not process the request
   * @throws {ToolError} if the request cannot be made
   * @throws {RetryableFailure} if the service is busy
   * @throws {OutboundHttpError} if there is no response, or it cannot be read
   */
  async send(
    request: AgentRequest,
    { idempotencyKey, signal }: ToolCall,
    busyStatuses: readonly number[],
  ): Promise<ToolOutput<HttpToolOutput>> {
    const { AllowedHosts, MaxBytes } = this.configuration.current.Agents.Http;
    const response = await this.http.send({
      ...buildAgentRequest({ ...request, authentication: this.toAuthentication(request.credential) }, idempotencyKey),
      allowedHosts: AllowedHosts,
      allowedHostsKey: 'Agents:Http:AllowedHosts',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MaxBytes,
      maxRedirects: 0,
      signal,
    });
    const { status, headers, url } = response;
    if (busyStatuses.includes(status))
      throw new RetryableFailure(
        `http_status_${status}`,
        `${new URL(url).host} responded with status ${status}.`,
        parseRetryAfter(headers['retry-after'], this.clock.now()),
      );
    return { content: toToolOutput(response) };
  }

  private toAuthentication(name: string | undefined): HttpInput['authentication'] {
    if (name === undefined) return { type: 'none' };
    const { Credentials } = this.configuration.current.Agents.Http;
    const credential = Object.hasOwn(Credentials, name) ? Credentials[name] : undefined;
    // The message omits the name, because the language model may have passed anything, such as a secret from its
    // context.
    if (credential === undefined)
      throw new ToolError(
        'http_credential_unknown',
        'There is no credential of this name. To create it, add it to Agents:Http:Credentials.',
      );
    const { Type, Secret: secret, Username, Header } = credential;
    if (Type === 'basic') return { type: Type, secret, username: Username };
    return Type === 'header' ? { type: Type, secret, name: Header } : { type: Type, secret };
  }
}

/** Returns the origin of a call, which follows no redirects. */
export function requestOrigins({ url }: { readonly url: string }): readonly string[] {
  return [new URL(url).origin];
}

function buildAgentRequest(
  input: Parameters<typeof buildRequest>[0],
  idempotencyKey: string,
): ReturnType<typeof buildRequest> {
  try {
    return buildRequest(input, idempotencyKey);
  } catch (error) {
    throw isTerminalFailure(error) ? new ToolError('http_request_invalid', error.message, { cause: error }) : error;
  }
}

function toToolOutput(response: OutboundResponse): HttpToolOutput {
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => VISIBLE_HEADERS.has(name)));
  return { status: response.status, headers, ...readBody(response) };
}

/**
 * Returns the body of a response. A body that is not valid JSON as declared, or that a run cannot store, is returned as
 * text, so that the language model can read it.
 */
function readBody(response: OutboundResponse): Pick<HttpToolOutput, 'body' | 'bodyType'> {
  const parsed = tryReadBody(response);
  if (parsed !== undefined && findJsonProblem(parsed.body as Json) === undefined) return parsed;
  return { body: response.body.toString('utf8').replaceAll('\0', '\u{fffd}').toWellFormed(), bodyType: 'text' };
}

function tryReadBody(response: OutboundResponse): Pick<HttpToolOutput, 'body' | 'bodyType'> | undefined {
  try {
    const { body, bodyType } = toHttpOutput(response);
    return { body, bodyType };
  } catch (error) {
    if (isTerminalFailure(error)) return undefined;
    throw error;
  }
}
