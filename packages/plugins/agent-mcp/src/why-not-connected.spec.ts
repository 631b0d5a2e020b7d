import { McpError } from '@modelcontextprotocol/sdk/types.js';
import { expect } from 'chai';
import { z } from 'zod';
import { whyNotConnected } from './why-not-connected.js';

describe('whyNotConnected', () => {
  it('should name the revisions that a server wants', () => {
    expect(whyNotConnected(new McpError(-32022, 'No.', { supported: ['2026-07-28'] }))).to.match(
      /^It speaks MCP 2026-07-28 only, and is asked for 2025-11-25, .*\.$/,
    );
  });

  for (const data of [undefined, null, {}, { supported: [] }, { supported: 'all' }]) {
    it(`should say what a server says that names none: ${JSON.stringify(data)}`, () => {
      expect(whyNotConnected(new McpError(-32602, 'No.', data))).to.equal(
        'It refuses to be connected to (-32602): MCP error -32602: No.',
      );
    });
  }

  it('should say that a server did not answer in time', () => {
    expect(whyNotConnected(new McpError(-32001, 'Request timed out'))).to.equal(
      'It did not answer within its ConnectTimeout.',
    );
  });

  it('should say where an answer is not what it must be', () => {
    const { error } = z.object({ tools: z.array(z.unknown()) }).safeParse({ tools: null });

    expect(whyNotConnected(error)).to.match(/^Its answer is not what MCP says: tools: Invalid input/);
  });

  it('should say what any other error says', () => {
    expect(whyNotConnected(new Error('spawn x ENOENT'))).to.equal('spawn x ENOENT');
  });
});
