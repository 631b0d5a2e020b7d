import { OutboundHttpError } from '@countersign/core/plugin';
import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { type McpServerConfiguration, McpConfigurationSchema } from './configuration.js';
import { HttpRefusal } from './http-refusal.js';
import { listConnectionAttempts, type ProtocolEra } from './protocol-era.js';

const PROGRAM = { Name: 'a', Command: 'node' };
const HTTP = { Name: 'a', Url: 'https://mcp.example', ConnectTimeout: 'PT8S' };

function createServer(settings: object): McpServerConfiguration {
  const [configuration] = McpConfigurationSchema.parse({ Agents: { Mcp: { Servers: [settings] } } }).Agents.Mcp.Servers;
  return configuration!;
}

describe('listConnectionAttempts()', () => {
  for (const [description, settings, knownEra, expected] of [
    ['a program', PROGRAM, undefined, [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }]],
    ['a program that supports initialize', PROGRAM, 'legacy', [{ mode: 'legacy' }, { mode: { pin: '2026-07-28' } }]],
    ['a program that does not support initialize', PROGRAM, 'modern', [{ mode: { pin: '2026-07-28' } }]],
    ['a URL', HTTP, undefined, [{ mode: 'auto', probe: { timeoutMs: 4_000 } }, { mode: 'legacy' }]],
    ['a URL without sessions', HTTP, 'modern', [{ mode: 'auto', probe: { timeoutMs: 4_000 } }, { mode: 'legacy' }]],
    ['a URL with sessions', HTTP, 'legacy', [{ mode: 'legacy' }]],
  ] as [string, object, ProtocolEra | undefined, object[]][]) {
    it(`should return the negotiation modes for ${description}`, () => {
      expect(listConnectionAttempts(createServer(settings), knownEra).map(({ negotiation }) => negotiation)).to.eql(
        expected,
      );
    });
  }

  it('should fall back to initialize only if the failed probe suggests an older server', () => {
    const [first] = listConnectionAttempts(createServer(HTTP), undefined);
    const createRefusal = (status: number): HttpRefusal =>
      new HttpRefusal(status, '', { hadSession: false, retryAfterMs: undefined });
    const createNegotiationError = (cause?: Error): SdkError =>
      new SdkError(SdkErrorCode.EraNegotiationFailed, 'Version negotiation failed', undefined, { cause });
    const createCallError = (wasSent: boolean): OutboundHttpError =>
      new OutboundHttpError('outbound_call_failed', 'The connection was closed.', true, { wasSent });

    for (const error of [
      createNegotiationError(),
      createNegotiationError(createCallError(true)),
      ...[302, 403, 404, 405, 500, 502].map((status) => createNegotiationError(createRefusal(status))),
      new SdkError(SdkErrorCode.RequestTimeout, 'Version negotiation probe timed out after 4000ms'),
    ])
      expect(first?.maySupportOtherEra(error), String(error.cause ?? error)).to.equal(true);
    for (const error of [
      createNegotiationError(createCallError(false)),
      ...[307, 401, 429, 503].map((status) => createNegotiationError(createRefusal(status))),
      new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'),
      createRefusal(404),
      new ProtocolError(-32_601, 'Method not found'),
    ])
      expect(first?.maySupportOtherEra(error), String(error.cause ?? error)).to.equal(false);
  });

  it('should fall back to server/discover only if the program does not support initialize', () => {
    const [first] = listConnectionAttempts(createServer(PROGRAM), undefined);

    for (const code of [-32_022, -32_600, -32_601, -32_602])
      expect(first?.maySupportOtherEra(new ProtocolError(code, 'Not supported.')), String(code)).to.equal(true);
    expect(
      first?.maySupportOtherEra(new ProtocolError(-32_000, 'Not supported.', { supported: ['2026-07-28'] })),
    ).to.equal(true);
    for (const error of [
      new ProtocolError(-32_005, 'Access denied.'),
      new ProtocolError(-32_000, 'Not supported.', { supported: ['2031-01-01'] }),
      new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'),
      new SdkError(SdkErrorCode.ConnectionClosed, 'Connection closed'),
      new Error('spawn node ENOENT'),
    ])
      expect(first?.maySupportOtherEra(error), error.message).to.equal(false);
  });
});
