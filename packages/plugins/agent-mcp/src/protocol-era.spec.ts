import { OutboundHttpError } from '@countersign/core/plugin';
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { type McpServerConfiguration, McpConfigurationSchema } from './configuration.js';
import { HttpRefusal } from './http-refusal.js';
import { attempts, type ProtocolEra } from './protocol-era.js';

const PROGRAM = { Name: 'a', Command: 'node' };
const HTTP = { Name: 'a', Url: 'https://mcp.example', ConnectTimeout: 'PT8S' };

function server(given: object): McpServerConfiguration {
  const [found] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [given] } } }).Agents.Mcp.Servers;
  return found!;
}

describe('attempts()', () => {
  for (const [what, given, known, expected] of [
    ['a program', PROGRAM, undefined, [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }]],
    ['a program that knows initialize', PROGRAM, 'legacy', [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }]],
    ['a program that does not know initialize', PROGRAM, 'modern', [{ mode: { pin: '2026-07-28' } }]],
    ['a URL', HTTP, undefined, [{ mode: 'auto', probe: { timeoutMs: 4_000 } }, { mode: 'legacy' }]],
    ['a URL without sessions', HTTP, 'modern', [{ mode: 'auto', probe: { timeoutMs: 4_000 } }, { mode: 'legacy' }]],
    ['a URL with sessions', HTTP, 'legacy', [{ mode: 'legacy' }]],
  ] as [string, object, ProtocolEra | undefined, object[]][]) {
    it(`should return the negotiation modes for ${what}`, () => {
      expect(attempts(server(given), known).map(({ negotiation }) => negotiation)).to.eql(expected);
    });
  }

  it('should fall back to initialize only if the failed probe suggests an older server', () => {
    const [first] = attempts(server(HTTP), undefined);
    const refusal = (status: number): HttpRefusal =>
      new HttpRefusal(status, '', { hadSession: false, retryAfterMs: undefined });
    const failed = (cause?: Error): SdkError =>
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'Version negotiation failed', undefined, { cause });
    const call = (wasSent: boolean): OutboundHttpError =>
      new OutboundHttpError('outbound_call_failed', 'It broke off.', true, { wasSent });

    for (const error of [
      failed(),
      failed(call(true)),
      ...[302, 403, 404, 405, 500, 502].map((status) => failed(refusal(status))),
      new SdkError(SdkErrorCode.RequestTimeout, 'Version negotiation probe timed out after 4000ms'),
    ])
      expect(first?.isOther(error), String(error.cause ?? error)).to.equal(true);
    for (const error of [
      failed(call(false)),
      ...[307, 401, 429, 503].map((status) => failed(refusal(status))),
      new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'),
      refusal(404),
      new ProtocolError(-32_601, 'No.'),
    ])
      expect(first?.isOther(error), String(error.cause ?? error)).to.equal(false);
  });

  it('should fall back to server/discover only if the program does not support initialize', () => {
    const [first] = attempts(server(PROGRAM), undefined);

    for (const code of [-32_022, -32_600, -32_601, -32_602])
      expect(first?.isOther(new ProtocolError(code, 'No.')), String(code)).to.equal(true);
    expect(first?.isOther(new ProtocolError(-32_000, 'No.', { supported: ['2026-07-28'] }))).to.equal(true);
    for (const error of [
      new ProtocolError(-32_005, 'Not you.'),
      new ProtocolError(-32_000, 'No.', { supported: ['2031-01-01'] }),
      new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'),
      new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'),
      new Error('spawn node ENOENT'),
    ])
      expect(first?.isOther(error), error.message).to.equal(false);
  });
});
