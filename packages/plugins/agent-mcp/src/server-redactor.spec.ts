import { Redactor, Secret } from '@countersign/core/plugin';
import { expect } from 'chai';
import { createServerRedactor, createToolRedactor } from './server-redactor.js';

describe('createServerRedactor', () => {
  const secret = 'super-secret-value-0123456789-abcdef-ghijklmno';
  const hide = createServerRedactor({ Env: { TOKEN: new Secret(secret) } }, new Redactor({ current: [] }));

  it('should hide the whole secret if the text is cut inside it', () => {
    for (let padding = 16_384 - secret.length; padding <= 16_384; padding += 1) {
      const redacted = hide([`${' '.repeat(padding)}${secret} and more`]).trim();

      expect(['', '[secret]', 'and more', '[secret] and more'], `at ${padding}`).to.include(redacted);
    }
  });

  it('should truncate a long text', () => {
    expect(hide(['x'.repeat(5_000_000)])).to.have.length.below(16_385);
  });

  describe('for the URL of a server', () => {
    const createUrlRedactor = (Url: string): ((text: string) => string) => {
      const hide = createServerRedactor({ Env: {}, Url }, new Redactor({ current: [] }));
      return (text) => hide([text]);
    };

    const SECRET_URLS: readonly (readonly [url: string, redacted: string])[] = [
      ['https://example.org/mcp/s/SECRET-PATH-99/mcp', 'Cannot POST /mcp/s/[secret]/mcp'],
      ['https://example.org/mcp/550e8400-e29b-41d4-a716-446655440000', 'Cannot POST /mcp/[secret]'],
      ['https://example.org/api/mcp/aGVsbG8gd29ybGQ/sse', 'Cannot POST /api/mcp/[secret]/sse'],
      ['https://example.org/mcp/qwertyuiopasdfghjklzxcvbnm', 'Cannot POST /mcp/[secret]'],
      ['https://example.org/mcp?api_key=secretly&mode=read', 'Cannot POST /mcp?api_key=[secret]&mode=read'],
      ['https://example.org/mcp?a=1&b=3c7Xk9-_pQ', 'Cannot POST /mcp?a=1&b=[secret]'],
      ['https://example.org/mcp?3c7Xk9-_pQ', 'Cannot POST /mcp?[secret]'],
    ];
    for (const [url, expected] of SECRET_URLS) {
      it(`should hide the secret parts of ${url}`, () => {
        expect(createUrlRedactor(url)(`Cannot POST ${url.slice('https://example.org'.length)}`)).to.equal(expected);
      });
    }

    it('should hide a secret part in encoded and decoded form', () => {
      const hide = createUrlRedactor('https://user-1:pass%2Fword@example.org/a%2Bb%3Dcdefg?token=x+y%26zzzz');

      for (const text of ['user-1', 'pass/word', 'pass%2Fword', 'a+b=cdefg', 'a%2Bb%3Dcdefg', 'x+y&zzzz', 'x y&zzzz'])
        expect(hide(text), text).to.equal('[secret]');
    });

    for (const url of [
      'https://example.org/api/v2.1/mcp',
      'https://example.org/model-context-protocol/streamable-http',
      'https://example.org/integrations/sse?region=eu-west-1&version=2025-06-18&features=database,docs&read_only=true',
    ]) {
      it(`should not hide words and versions in ${url}`, () => {
        expect(createUrlRedactor(url)(`Cannot POST ${url}`)).to.equal(`Cannot POST ${url}`);
      });
    }
  });
});

describe('createToolRedactor', () => {
  const hide = createToolRedactor(
    {
      Env: {
        DSN: new Secret('postgres://app:hunter22@db'),
        STAGE: new Secret('production'),
        KIND: new Secret('object'),
      },
    },
    new Redactor({ current: ['correct-horse-battery'] }),
  );

  it('should hide secrets in values at any depth and in strings of any length', () => {
    expect(
      hide({
        title: 'Reads postgres://app:hunter22@db.',
        properties: {
          a: { default: 'correct-horse-battery', examples: ['postgres://app:hunter22@db', 7] },
          description: { description: `${'x'.repeat(50_000)}correct-horse-battery` },
        },
      }),
    ).to.deep.equal({
      title: 'Reads [secret].',
      properties: {
        a: { default: '[secret]', examples: ['[secret]', 7] },
        description: { description: `${'x'.repeat(50_000)}[secret]` },
      },
    });
    expect(hide('At postgres://app:hunter22@db.')).to.equal('At [secret].');
  });

  it('should not change property names, types or enum values that equal a secret', () => {
    const schema = {
      type: 'object',
      properties: {
        stage: { type: ['string', 'null'], enum: ['production', 'staging'] },
        production: { const: 'production', pattern: '^production' },
        default: { type: 'object' },
      },
      required: ['production'],
    };

    expect(hide({ ...schema, description: 'An object.' })).to.deep.equal({ ...schema, description: 'An [secret].' });
  });
});
