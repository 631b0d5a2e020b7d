import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { describeConnectionProblem } from './describe-connection-problem.js';

describe('describeConnectionProblem', () => {
  it('should name the revisions that a server supports if the client supports none of them', () => {
    expect(
      describeConnectionProblem(
        new ProtocolError(-32022, 'Unsupported revision.', { supported: ['2027-01-01', '2027-07-01'] }),
      ),
    ).to.match(/^It supports none of the MCP revisions 2026-07-28, 2025-11-25, .*, only “2027-01-01, 2027-07-01”\.$/);
  });

  it('should report a server that lists a known revision but refuses it', () => {
    expect(
      describeConnectionProblem(
        new ProtocolError(-32022, 'Unsupported revision.', { supported: ['2027-01-01', '2026-07-28'] }),
      ),
    ).to.equal(
      'It refuses the handshake of the MCP revision that it requires: “2027-01-01, 2026-07-28”. Its message: “Unsupported revision.”',
    );
  });

  const hostileValue = { toString: null, valueOf: null };
  for (const data of [undefined, null, {}, { supported: [] }, { supported: 'all' }, { supported: [hostileValue] }]) {
    it(`should quote the error of a server that names no revision: ${JSON.stringify(data)}`, () => {
      expect(describeConnectionProblem(new ProtocolError(-32602, 'Invalid “cursor”.', data))).to.equal(
        'It refuses the connection (-32602). Its message: “Invalid "cursor".”',
      );
    });
  }

  it('should report that a server did not respond in time', () => {
    expect(describeConnectionProblem(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'))).to.equal(
      'It did not respond within its ConnectTimeout.',
    );
  });

  for (const [name, schema] of [
    ['zod', z.object({ tools: z.array(z.number()) })],
    ['zod mini', mini.object({ tools: mini.array(mini.number()) })],
  ] as const) {
    it(`should return the location of the first error in an invalid response without formatting all errors (${name})`, () => {
      const { error } = schema.safeParse({ tools: Array.from({ length: 10_000 }, () => 'x') });
      Object.defineProperty(error, 'message', { get: () => expect.fail('All errors were formatted.') });

      expect(describeConnectionProblem(error))
        .to.match(/^Its response does not conform to MCP: tools\.0: Invalid input/)
        .and.to.have.length.below(500);
    });
  }

  it('should return the message of any other error', () => {
    expect(describeConnectionProblem(new Error('spawn x ENOENT'))).to.equal('spawn x ENOENT');
  });
});
