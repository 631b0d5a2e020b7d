import { ProtocolError, SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { whyNotConnected } from './why-not-connected.js';

describe('whyNotConnected', () => {
  it('should name the revisions that a server wants', () => {
    expect(whyNotConnected(new ProtocolError(-32022, 'No.', { supported: ['2027-01-01', '2027-07-01'] }))).to.match(
      /^It speaks only other revisions of MCP than 2026-07-28, 2025-11-25, .*: “2027-01-01, 2027-07-01”\.$/,
    );
  });

  it('should say that a server does not begin as the revision says that it wants', () => {
    expect(whyNotConnected(new ProtocolError(-32022, 'No.', { supported: ['2027-01-01', '2026-07-28'] }))).to.equal(
      'It does not begin as the revision of MCP says that it wants: “2027-01-01, 2026-07-28”. It says: “No.”',
    );
  });

  const hostile = { toString: null, valueOf: null };
  for (const data of [undefined, null, {}, { supported: [] }, { supported: 'all' }, { supported: [hostile] }]) {
    it(`should say what a server says that names none: ${JSON.stringify(data)}`, () => {
      expect(whyNotConnected(new ProtocolError(-32602, 'No “way”.', data))).to.equal(
        'It refuses to be connected to (-32602), and says: “No "way".”',
      );
    });
  }

  it('should say that a server did not answer in time', () => {
    expect(whyNotConnected(new SdkError(SdkErrorCode.RequestTimeout, 'Request timed out'))).to.equal(
      'It did not answer within its ConnectTimeout.',
    );
  });

  for (const [name, schema] of [
    ['zod', z.object({ tools: z.array(z.number()) })],
    ['zod mini', mini.object({ tools: mini.array(mini.number()) })],
  ] as const) {
    it(`should say where an answer is not what it must be, without making a text of all faults (${name})`, () => {
      const { error } = schema.safeParse({ tools: Array.from({ length: 10_000 }, () => 'x') });
      Object.defineProperty(error, 'message', { get: () => expect.fail('It was made.') });

      expect(whyNotConnected(error))
        .to.match(/^It gave an answer that is not what MCP says: tools\.0: Invalid input/)
        .and.to.have.length.below(500);
    });
  }

  it('should say what any other error says', () => {
    expect(whyNotConnected(new Error('spawn x ENOENT'))).to.equal('spawn x ENOENT');
  });
});
