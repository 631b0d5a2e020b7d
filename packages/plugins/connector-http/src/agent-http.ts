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
import { incoming, retryAfter } from './incoming.js';
import { outgoing } from './outgoing.js';

const TIMEOUT_MS = 30_000;
/** The headers of an answer that tell a model something. */
const SHOWN: ReadonlySet<string> = new Set([
  'content-type',
  'content-range',
  'etag',
  'last-modified',
  'link',
  'location',
  'retry-after',
]);

type Request = (HttpGetInput & { readonly method: 'GET' }) | HttpRequestInput;

/** The calls of agents over HTTP: what the connector does, to the hosts and with the credentials that are for agents. */
@injectable()
export class AgentHttp {
  constructor(
    @inject(OutboundHttpPort) private readonly http: OutboundHttpPort,
    @inject(LiveHttpConnectorConfiguration) private readonly configuration: Live<HttpConnectorConfiguration>,
    @inject(ClockPort) private readonly clock: ClockPort,
  ) {}

  /**
   * Makes one call. An answer of any status is an answer, a redirect too: where it leads to, nobody has decided on.
   *
   * @param busy statuses by which a service says that it has not done it
   * @throws {ToolError} where the request can't be made; {RetryableFailure} for what is busy; {OutboundHttpError}
   */
  async send(
    request: Request,
    { idempotencyKey, signal }: ToolCall,
    busy: readonly number[],
  ): Promise<ToolOutput<HttpToolOutput>> {
    const { AllowedHosts, MaxBytes } = this.configuration.current.Agents.Http;
    const response = await this.http.send({
      ...asked({ ...request, authentication: this.credentialOf(request.credential) }, idempotencyKey),
      allowedHosts: AllowedHosts,
      allowedHostsKey: 'Agents:Http:AllowedHosts',
      timeoutMs: TIMEOUT_MS,
      maxBytes: MaxBytes,
      maxRedirects: 0,
      signal,
    });
    const { status, headers, url } = response;
    if (busy.includes(status))
      throw new RetryableFailure(
        `http_status_${status}`,
        `${new URL(url).host} answered with status ${status}.`,
        retryAfter(headers['retry-after'], this.clock.now()),
      );
    return { content: answered(response) };
  }

  private credentialOf(name: string | undefined): HttpInput['authentication'] {
    if (name === undefined) return { type: 'none' };
    const { Credentials } = this.configuration.current.Agents.Http;
    const found = Object.hasOwn(Credentials, name) ? Credentials[name] : undefined;
    // The name may be anything, such as a secret that somebody has told the model.
    if (found === undefined)
      throw new ToolError(
        'http_credential_unknown',
        'There is no credential of this name. An operator adds it to Agents:Http:Credentials.',
      );
    const { Type, Secret: secret, Username, Header } = found;
    if (Type === 'basic') return { type: Type, secret, username: Username };
    return Type === 'header' ? { type: Type, secret, name: Header } : { type: Type, secret };
  }
}

/** Where a call goes: it follows no redirects. */
export function originsOf({ url }: { readonly url: string }): readonly string[] {
  return [new URL(url).origin];
}

function asked(input: Parameters<typeof outgoing>[0], idempotencyKey: string): ReturnType<typeof outgoing> {
  try {
    return outgoing(input, idempotencyKey);
  } catch (error) {
    throw isTerminalFailure(error) ? new ToolError('http_request_invalid', error.message, { cause: error }) : error;
  }
}

function answered(response: OutboundResponse): HttpToolOutput {
  const headers = Object.fromEntries(Object.entries(response.headers).filter(([name]) => SHOWN.has(name)));
  return { status: response.status, headers, ...bodyOf(response) };
}

/** What is not the JSON that it says it is, or none that a run can keep, is a text: the model sees what it is. */
function bodyOf(response: OutboundResponse): Pick<HttpToolOutput, 'body' | 'bodyType'> {
  const read = readable(response);
  if (read !== undefined && findJsonProblem(read.body as Json) === undefined) return read;
  return { body: response.body.toString('utf8').replaceAll('\0', '\u{fffd}').toWellFormed(), bodyType: 'text' };
}

function readable(response: OutboundResponse): Pick<HttpToolOutput, 'body' | 'bodyType'> | undefined {
  try {
    const { body, bodyType } = incoming(response);
    return { body, bodyType };
  } catch (error) {
    if (isTerminalFailure(error)) return undefined;
    throw error;
  }
}
